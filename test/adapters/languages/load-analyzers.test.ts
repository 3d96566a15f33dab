import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { loadAnalyzer } from '../../../src/adapters/languages/load-analyzers.ts';
import { AUTO_ANALYZER } from '../../../src/core/text/analyzer.ts';
import { fold } from '../../../src/core/text/fold.ts';
import { LANGUAGE_CODES, LANGUAGES, type LanguageCode } from '../../../src/core/text/languages.ts';

async function terms(language: LanguageCode, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  (await loadAnalyzer(language)).tokenize(text, (term) => found.push(term));
  return found;
}

const STEMS = readFileSync(new URL('stems.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' ') as [LanguageCode, string, string]);

test('every language with letters of its own has reference stems', () => {
  const withLetters = LANGUAGE_CODES.filter((code) => 'letters' in LANGUAGES[code]);
  expect([...new Set(STEMS.map(([code]) => code))].sort()).toEqual(withLetters);
});

test.each([...Map.groupBy(STEMS, ([code]) => code)])('%s has the stems of Snowball', async (code, lines) => {
  const words = lines.map(([, word]) => word).join(' ');
  const stems = lines.map(([, word, stem]) => fold(stem.length > 1 ? stem : word));
  expect(await terms(code, words)).toEqual(stems);
  expect(await terms(code, words.normalize('NFD'))).toEqual(stems);
  const capitals = words.toLocaleUpperCase(code);
  expect(await terms(code, capitals)).toEqual(await terms(code, capitals.toLocaleLowerCase(code)));
});

describe('an analyzer of a language', () => {
  it('gives inflected words one term', async () => {
    expect(new Set(await terms('de', 'Haus Hauses Häuser Häusern'))).toEqual(new Set(['haus']));
    expect(new Set(await terms('fr', 'chercher cherchais cherchait'))).toEqual(new Set(['cherch']));
    expect(new Set(await terms('ru', 'книга книги книгами'))).toEqual(new Set(['книг']));
    expect(new Set(await terms('es', 'canción canciones'))).toEqual(new Set(['cancion']));
  });

  it('keeps a word whose stem is a single letter', async () => {
    expect(await terms('tr', 'önce')).toEqual(['once']);
  });

  it('takes words in other letters as English', async () => {
    expect(await terms('ru', 'searching книги')).toEqual(['search', 'книг']);
    expect(await terms('zh', 'searching')).toEqual(['search']);
  });

  it('keeps names whole and in parts', async () => {
    expect(await terms('de', 'getUsers snake_case E-Mail')).toEqual(
      expect.arrayContaining(['get', 'user', 'snake_case', 'e-mail', 'mail']),
    );
  });

  it('passes over what French and Italian write together with the next word', async () => {
    expect(await terms('fr', 'l’homme qu’il d’eau aujourd’hui')).toEqual(['homm', 'il', 'eau', 'aujourdhui']);
    expect(await terms('it', "dell'acqua l'uomo")).toEqual(await terms('it', 'acqua uomo'));
    expect(await terms('de', "l'homme")).toEqual(['lhomm']);
  });

  it.each([
    ['de', 'Die', 'Haus'],
    ['fr', 'où', 'maison'],
    ['es', 'también', 'trabajo'],
    ['ru', 'что', 'книга'],
    ['ru', 'the', 'parser'],
    ['zh', '的', '搜索'],
    ['ja', 'です', '天気'],
  ] as const)('%s: %s is a stop word, %s is not', async (language, stopped, kept) => {
    const { isStopWord } = await loadAnalyzer(language);
    expect([isStopWord(stopped), isStopWord(kept)]).toEqual([true, false]);
  });

  it('has pairs of characters for Chinese and Japanese, as ever', async () => {
    const text = '雨が降る天気予報';
    for (const language of ['zh', 'ja'] as const)
      expect(await terms(language, text)).toEqual(await terms('auto', text));
  });

  it('is that of auto for English and Korean', async () => {
    for (const language of ['auto', 'en', 'ko'] as const)
      expect(await loadAnalyzer(language)).toMatchObject({
        language: 'auto',
        tokenize: AUTO_ANALYZER.tokenize,
      });
  });
});
