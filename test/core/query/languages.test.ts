import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadAnalyzer } from '../../../src/adapters/languages/load-analyzers.ts';
import { createKeywordRetriever } from '../../../src/core/indexes/keyword.ts';
import { addAccentForms, joinWords } from '../../../src/core/query/name-forms.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { addSynonyms } from '../../../src/core/query/synonyms.ts';
import { type Analyzer, AUTO_ANALYZER } from '../../../src/core/text/analyzer.ts';
import { fold } from '../../../src/core/text/fold.ts';

const [de, fr, ru, es, zh] = await Promise.all((['de', 'fr', 'ru', 'es', 'zh'] as const).map(loadAnalyzer));
const BOTH = [AUTO_ANALYZER, de!];
const termsOf = (query: string, analyzers: readonly Analyzer[]) =>
  parseQuery(query, analyzers).terms.map(({ term, forms = [] }) => [term, ...forms].join('|'));

describe('a query over several languages', () => {
  it('has one term for each word, with a form for each language that has another stem', () => {
    expect(termsOf('Häuser parsing', BOTH)).toEqual(['hauser|haus', 'pars|parsing']);
    expect(termsOf('Häuser', [de!])).toEqual(['haus']);
    expect(termsOf('l’homme', [AUTO_ANALYZER, fr!])).toEqual(['lhomm|homm']);
    expect(termsOf('string_view std::string_view', BOTH)).toEqual(
      termsOf('string_view std::string_view', [AUTO_ANALYZER]),
    );
  });

  it('leaves out the stop words of the language it has most of', () => {
    expect(termsOf('wie war das Wetter', BOTH)).toEqual(['wetter|wett']);
    expect(termsOf('the history of war', BOTH)).toEqual(['histori|history', 'war']);
    expect(termsOf('die', BOTH)).toEqual(['die']);
    expect(termsOf('why is the прогноз', [AUTO_ANALYZER, ru!])).toHaveLength(1);
    expect(termsOf('天气预报的准确', [AUTO_ANALYZER, zh!])).toContain('天气|天氣');
  });

  it('has phrases, demands and exclusions in each language', () => {
    const parsed = parseQuery('"alte Häuser" title:Häuser -Gärten', BOTH);
    expect(parsed.phrases).toEqual([
      {
        text: 'alte Häuser',
        terms: [
          { term: 'alt', position: 0 },
          { term: 'hauser', position: 1 },
        ],
        others: [
          [
            { term: 'alt', position: 0 },
            { term: 'haus', position: 1 },
          ],
        ],
      },
    ]);
    expect(parsed.required).toMatchObject([{ term: 'hauser', forms: ['haus'] }]);
    expect(parsed.excludedTerms).toMatchObject([{ term: 'garten', forms: ['gart'] }]);
  });

  it('joins words and finds synonyms in each language', () => {
    const query = parseQuery('daten banken', BOTH);
    const joined = joinWords(query, () => 1, BOTH).terms.map(({ term }) => term);
    expect(joined).toEqual(expect.arrayContaining(['datenbanken', 'datenbank']));
    const [, synonym] = addSynonyms(parseQuery('cars', BOTH), () => ['parsing'], 0.5, BOTH).terms;
    expect(synonym).toMatchObject({ term: 'pars', forms: ['parsing'] });
  });
});

describe('a query without spaces', () => {
  const plain = (query: string) => termsOf(query, [AUTO_ANALYZER]);

  it('takes a character that is a word as a term, and keeps every pair', () => {
    expect(plain('她买了书和天气图')).toEqual(expect.arrayContaining(['书', '了书', '天气', '气图']));
    expect(plain('北海道と雨')).not.toContain('と');
  });

  it('passes over hiragana that only join words, but not over words in hiragana', () => {
    expect(plain('北海道のすしはどこか')).not.toContain('しは');
    expect(plain('北海道のすしはどこか')).toEqual(expect.arrayContaining(['すし|スシ', '道の|道ノ']));
    expect(plain('のは')).toContain('のは|ノハ');
  });

  it('passes over the particle of a Korean word, if a pair of the word is left', () => {
    expect(plain('도서관에')).toEqual(['도서', '서관']);
    expect(plain('학교')).toEqual(['학교']);
    expect(plain('나는')).toEqual(['나는']);
  });

  it('also finds the other kana and the other Chinese script', () => {
    expect(termsOf('头发', [zh!])).toEqual(['头发|頭發|頭髮']);
    expect(plain('メガネ')).toEqual(['メガ|めが', 'ガネ|がね']);
    const [phrase] = parseQuery('"开源 项目"', [zh!]).phrases;
    expect(phrase!.others).toContainEqual([
      { term: '開源', position: 0 },
      { term: '項目', position: 2 },
    ]);
  });
});

const WORDS = {
  auto: ['rotating', 'tokens', 'houses', 'war', 'naïve', 'getUserById', '東京', '天気予報'],
  de: ['Häuser', 'Entscheidungen', 'größer', 'war', 'Straße', 'Café', 'E-Mail'],
  fr: ['l’économie', 'préférence', 'déjà', 'œuvres', 'marchés', 'naïve'],
  ru: ['который', 'книгами', 'ещё', 'parsing', 'русский'],
  es: ['también', 'canción', 'lecciones', 'había', 'corazón'],
  zh: ['天气预报', '书', '搜索引擎优化', 'parsing'],
} as const;
const ANALYZERS: Readonly<Record<keyof typeof WORDS, Analyzer>> = {
  auto: AUTO_ANALYZER,
  de: de!,
  fr: fr!,
  ru: ru!,
  es: es!,
  zh: zh!,
};
const LANGUAGES = Object.keys(WORDS) as (keyof typeof WORDS)[];
const document = fc
  .constantFrom(...LANGUAGES)
  .chain((language) =>
    fc
      .array(fc.constantFrom<string>(...WORDS[language]), { minLength: 1, maxLength: 6 })
      .map((words) => ({ language, words })),
  );
const typed = fc.constantFrom<(word: string) => string>(
  (word) => word,
  (word) => word.toUpperCase(),
  (word) => word.normalize('NFD'),
  fold,
);

it('finds every document by any of its words, with accents and without, whatever languages the others are in', () => {
  const anyQuery = fc.record({
    documents: fc.array(document, { minLength: 1, maxLength: 5 }),
    wanted: fc.nat(),
    word: fc.nat(),
    typed,
  });
  fc.assert(
    fc.property(anyQuery, ({ documents, wanted, word, typed }) => {
      const keyword = createKeywordRetriever({ idOf: String });
      keyword.add(
        documents.map(({ language, words }, slot) => ({
          slot,
          chunk: { id: String(slot), text: words.join('. '), headingPath: [], codeBlocks: [] },
          document: { title: '', aliases: [], tags: [], keywords: [] },
          analyzer: ANALYZERS[language],
        })),
      );
      const slot = wanted % documents.length;
      const { words } = documents[slot]!;
      const analyzers = LANGUAGES.filter((code) => documents.some(({ language }) => language === code));
      const query = parseQuery(
        typed(words[word % words.length]!),
        analyzers.map((code) => ANALYZERS[code]),
      );
      const parsed = addAccentForms(query, (folded) => keyword.nearWords(folded, 0).map(({ term }) => term));
      const { entries } = keyword.search({ parsed }, documents.length);
      expect(entries.map((entry) => entry.slot)).toContain(slot);
    }),
    { numRuns: 400 },
  );
});
