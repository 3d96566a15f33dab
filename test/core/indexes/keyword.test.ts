import { describe, expect, test } from 'vitest';
// over 300 lines: the rules of one retriever, told on small collections that share their helpers
import { compact } from '../../../src/core/indexes/compact.ts';
import { createKeywordRetriever } from '../../../src/core/indexes/keyword.ts';
import type { IndexEntry } from '../../../src/core/indexes/retriever.ts';
import { decodeSegment, encodeSegment } from '../../../src/core/indexes/segment-codec.ts';
import type { DocumentFields } from '../../../src/core/model/document.ts';
import type { Explanation } from '../../../src/core/model/hit.ts';
import type { ParsedQuery, Phrase, QueryTerm } from '../../../src/core/model/query.ts';
import { KEYWORD_FIELDS, RANKING } from '../../../src/core/model/ranking-constants.ts';
import { atOnce } from '../../../src/core/steps.ts';
import { analyze } from '../../../src/core/text/analyze.ts';
import { contractId, retrieverContract } from '../../contracts/retriever-contract.ts';
import { naiveScore } from './naive-bm25f.ts';

retrieverContract('keyword', () => createKeywordRetriever({ idOf: contractId }));

describe('the keyword retriever', () => {
  test('finds words in every field, and weighs them as the fields are weighed', () => {
    const at: Record<string, Partial<DocumentFields>> = {
      title: { title: 'zebra' },
      keywords: { keywords: ['zebra'] },
      description: { description: 'zebra' },
      tags: { tags: ['zebra'] },
      aliases: { aliases: ['zebra'] },
      author: { author: 'zebra' },
      category: { category: 'zebra' },
    };
    const retriever = createKeywordRetriever({ idOf: String, b: 0 });
    retriever.add(
      KEYWORD_FIELDS.map((field, slot) => {
        const path = field === 'headers' ? ['Title', 'zebra'] : ['Title'];
        return entry(slot, field === 'content' ? 'zebra' : 'plain words', at[field] ?? {}, path);
      }),
    );
    const { entries, scoreOf } = retriever.search({ parsed: query('zebra') }, 20);
    expect(entries).toHaveLength(KEYWORD_FIELDS.length);
    for (const [slot, field] of KEYWORD_FIELDS.entries()) {
      const w = RANKING.words.fields[field];
      const content = scoreOf(KEYWORD_FIELDS.indexOf('content'));
      expect(scoreOf(slot) / content).toBeCloseTo(((w * 2.2) / (w + 1.2)) * 1, 9);
    }
  });

  test('the title is not counted again as the first heading', () => {
    const retriever = createKeywordRetriever({ idOf: String });
    retriever.add([
      entry(0, 'text', { title: 'Zebra' }, ['Zebra', 'Setup']),
      entry(1, 'text', { title: 'Horse' }),
    ]);
    const onlyHeaders = { ...query(''), terms: [term('zebra', { field: 'headers' })] };
    expect(retriever.search({ parsed: onlyHeaders }, 5).entries).toEqual([]);
  });

  test('of an overlong field the beginning counts, for every chunk carries it', () => {
    const retriever = createKeywordRetriever({ idOf: String });
    const tags = Array.from({ length: 5_000 }, (_, n) => `tag${n}`);
    retriever.add([entry(0, 'text', { tags, description: `zebra ${'long '.repeat(1_000)} horse` })]);
    const found = (word: string) => retriever.search({ parsed: query(word) }, 5).entries.length;
    expect(['tag0', 'tag200', 'zebra'].map(found)).toEqual([1, 1, 1]);
    expect(['tag4999', 'horse'].map(found)).toEqual([0, 0]);
  });

  test('of an overlong field the rest is not looked at for each chunk', () => {
    let looked = 0;
    const tags = new Proxy(
      Array.from({ length: 5_000 }, (_, n) => `tag${n}`),
      {
        get(array, key) {
          if (/^\d/.test(String(key))) looked++;
          return Reflect.get(array, key);
        },
      },
    );
    createKeywordRetriever({ idOf: String }).add(
      Array.from({ length: 20 }, (_, slot) => entry(slot, 'text', { tags })),
    );
    expect(looked).toBeLessThan(20 * 1_000);
  });

  test('a word restricted to the title does not count elsewhere', () => {
    const retriever = createKeywordRetriever({ idOf: String });
    retriever.add([entry(0, 'zebra zebra'), entry(1, 'plain', { title: 'Zebra' })]);
    const parsed = { ...query(''), terms: [term('zebra', { field: 'title' })] };
    expect(retriever.search({ parsed }, 5).entries.map(({ slot }) => slot)).toEqual([1]);
  });

  test('a prefix finds words as written, past what their stems show', () => {
    const retriever = createKeywordRetriever({ idOf: String });
    retriever.add([entry(0, 'the Calibration of scores'), entry(1, 'calories'), entry(2, 'other')]);
    const prefix = (text: string) => ({ ...query(''), terms: [term(text, { prefix: true })] });
    const slots = (text: string) =>
      retriever.search({ parsed: prefix(text) }, 5).entries.map(({ slot }) => slot);
    expect(slots('calibrati')).toEqual([0]);
    expect(slots('cal').sort()).toEqual([0, 1]);
    expect(slots('calx')).toEqual([]);
  });

  test('coverage is the share of the query idf that a chunk matched; unknown words count as the rarest', () => {
    const retriever = createKeywordRetriever({ idOf: String });
    retriever.add([entry(0, 'zebra horse'), entry(1, 'horse'), entry(2, 'cow')]);
    const idf = (n: number) => Math.log(1 + (3 - n + 0.5) / (n + 0.5));
    const ranking = retriever.search({ parsed: query('zebra horse unicorn') }, 5);
    const total = idf(1) + idf(2) + idf(0);
    expect(ranking.coverageOf(0)).toBeCloseTo((idf(1) + idf(2)) / total, 12);
    expect(ranking.coverageOf(1)).toBeCloseTo(idf(2) / total, 12);
    expect(ranking.coverageOf(2)).toBe(0);
    expect(ranking.bound).toBeCloseTo(total * 2.2, 12);
  });

  test('a synonym scores its share, and counts for neither coverage nor bound', () => {
    const retriever = createKeywordRetriever({ idOf: String });
    retriever.add([entry(0, 'zebra horse'), entry(1, 'horse'), entry(2, 'cow')]);
    const asked = query('zebra');
    const horse = (weight: number) => term('hors', { weight, standsFor: ['zebra'] });
    const ranked = (...extra: readonly QueryTerm[]) =>
      retriever.search({ parsed: { ...asked, terms: [...asked.terms, ...extra] } }, 5);
    const [plain, full, third] = [ranked(), ranked(horse(1)), ranked(horse(0.3))];
    expect(third.scoreOf(1)).toBeCloseTo(0.3 * full.scoreOf(1), 12);
    expect(third.scoreOf(0) - plain.scoreOf(0)).toBeCloseTo(0.3 * (full.scoreOf(0) - plain.scoreOf(0)), 12);
    expect(third.entries.map(({ slot }) => slot)).toEqual([0, 1]);
    expect([third.bound, third.coverageOf(0), third.coverageOf(1)]).toEqual([plain.bound, 1, 0]);
    const [part] = third.explain(1).parts ?? [];
    expect(part?.value).toBeCloseTo(third.scoreOf(1), 12);
    expect(part?.parts).toContainEqual({ label: 'weight of an added word', value: 0.3 });
    retriever.remove([0]);
    expect([ranked().bestCoverage, ranked(horse(1)).bestCoverage]).toEqual([0, 1]);
    expect(ranked(horse(0.3)).bestCoverage).toBeCloseTo(0.3, 12);
  });

  test('a joined name covers the words it is made of, each once', () => {
    const retriever = createKeywordRetriever({ idOf: String });
    retriever.add([
      entry(0, 'zebrahorse'),
      entry(1, 'zebra zebrahorse'),
      entry(2, 'cow'),
      entry(3, 'zebrahorse horsecow'),
    ]);
    const asked = query('zebra horse cow');
    const names = [
      term('zebrahors', { standsFor: ['zebra', 'hors'] }),
      term('horsecow', { standsFor: ['hors', 'cow'] }),
    ];
    const plain = retriever.search({ parsed: asked }, 5);
    const ranking = retriever.search({ parsed: { ...asked, terms: [...asked.terms, ...names] } }, 5);
    const idf = (n: number) => Math.log(1 + (4 - n + 0.5) / (n + 0.5));
    const total = idf(1) + idf(0) + idf(1);
    for (const slot of [0, 1]) expect(ranking.coverageOf(slot)).toBeCloseTo((idf(1) + idf(0)) / total, 12);
    expect(ranking.coverageOf(2)).toBeCloseTo(idf(1) / total, 12);
    expect(ranking.coverageOf(3)).toBeCloseTo(1, 12);
    expect([ranking.bound, plain.coverageOf(0)]).toEqual([plain.bound, 0]);
  });

  test('the explanation can be summed by hand to the score', () => {
    const retriever = createKeywordRetriever({ idOf: String });
    retriever.add([
      entry(0, 'zebra horse zebra', { title: 'Zebra' }),
      entry(1, 'horse and horses'),
      entry(2, 'zebrafish'),
    ]);
    const parsed = { ...query('zebra'), terms: [...query('zebra').terms, term('zebra', { prefix: true })] };
    const ranking = retriever.search({ parsed }, 5);
    const tree = ranking.explain(0);
    expect(tree).toMatchObject({ label: 'keyword', value: ranking.scoreOf(0) });
    expect(tree.parts?.map(({ label }) => label)).toEqual(['zebra', 'zebra*']);
    let sum = 0;
    for (const part of tree.parts ?? []) {
      const N = find(part, 'idf', 'N');
      const n = find(part, 'idf', 'n');
      const frequency = (part.parts?.find(({ label }) => label === 'tf′')?.parts ?? []).reduce(
        (total, field) => {
          const b = find(field, 'b');
          const norm = 1 - b + (b * find(field, 'length')) / find(field, 'average length');
          return total + (field.weight! * find(field, 'tf')) / norm;
        },
        0,
      );
      const k1 = find(part, 'k1');
      sum += (Math.log(1 + (N - n + 0.5) / (n + 0.5)) * frequency * (k1 + 1)) / (frequency + k1);
    }
    expect(sum).toBeCloseTo(ranking.scoreOf(0), 12);
  });

  test('equals the formula on real analysed text', () => {
    const texts = ['Running runners ran', 'the café runs a run', 'std::vector and snake_case', ''];
    const retriever = createKeywordRetriever({ idOf: String });
    retriever.add(texts.map((text, slot) => entry(slot, text)));
    const collection = new Map(
      texts.map((text, slot) => [slot, KEYWORD_FIELDS.map((f) => (f === 'content' ? termsOf(text) : []))]),
    );
    // Wholes and parts share positions, so field lengths are not term counts: keep them out with b = 0.
    const plain = createKeywordRetriever({ idOf: String, b: 0 });
    plain.add(texts.map((text, slot) => entry(slot, text)));
    const fields = KEYWORD_FIELDS.map((name) => ({ name, weight: RANKING.words.fields[name], b: 0 }));
    const parsed = query('run vector cafe');
    for (const slot of texts.keys()) {
      const naive = naiveScore(collection, fields, 1.2, parsed.terms, slot);
      expect(plain.search({ parsed }, 9).scoreOf(slot)).toBeCloseTo(naive.score, 9);
    }
  });

  test('answers the same from saved segments, with the catalog telling what is live', () => {
    const ids = ['c', 'a', 'b', 'd'];
    const first = createKeywordRetriever({ idOf: (slot) => ids[slot]! });
    const saved = [
      first.add([entry(0, 'zebra'), entry(1, 'zebra')]),
      first.add([entry(2, 'zebra'), entry(3, 'zebra')]),
    ];
    first.remove([3]);
    const second = createKeywordRetriever({ idOf: (slot) => ids[slot]! });
    for (const segment of saved) second.load(decodeSegment(encodeSegment(segment!)), (slot) => slot !== 3);
    const answer = first.search({ parsed: query('zebra') }, 5).entries;
    expect(answer.map(({ slot }) => slot)).toEqual([1, 2, 0]);
    expect(second.search({ parsed: query('zebra') }, 5).entries).toEqual(answer);
  });

  test('merging keeps the answer and replaces what it merges', () => {
    const retriever = createKeywordRetriever({ idOf: String });
    const made = Array.from({ length: 9 }, (_, slot) =>
      retriever.add([entry(slot, `zebra ${'horse '.repeat(slot)}`)]),
    );
    retriever.remove([4]);
    const before = retriever.search({ parsed: query('zebra horse') }, 9).entries;
    expect(retriever.segments()).toEqual(made);
    atOnce(compact(retriever));
    const merged = [...retriever.segments()];
    expect(merged.flatMap(({ units }) => [...units])).toEqual([0, 1, 2, 3, 5, 6, 7, 8]);
    expect(retriever.search({ parsed: query('zebra horse') }, 9).entries).toEqual(before);
    atOnce(compact(retriever));
    expect(retriever.segments()).toEqual(merged);
    retriever.remove(Array.from({ length: 9 }, (_, slot) => slot));
    atOnce(compact(retriever));
    expect(retriever.segments()).toEqual([]);
    expect(retriever.add([])).toBeUndefined();
  });

  test('words as written of what was removed go with it, when it is read once more', () => {
    const retriever = createKeywordRetriever({ idOf: String });
    const lantern = Array.from({ length: 6 }, (_, slot) => entry(slot, 'the lantern is lit'));
    const secret = entry(9, 'it lanterned a zyqvor');
    retriever.add([...lantern, secret]);
    const written = () => retriever.segments()[0]!.surfaces.text;
    expect(retriever.holdsRemoved()).toBe(false);
    retriever.remove([9]);
    expect(retriever.holdsRemoved()).toBe(true);
    expect(retriever.unitsBesideUnknown()).toEqual([0, 1, 2, 3, 4, 5]);
    atOnce(retriever.forgetInSteps([secret]));
    expect(retriever.unitsBesideUnknown()).toEqual([]);
    expect(written()).toContain('lanterned');
    atOnce(compact(retriever));
    expect(written()).toContain('lantern');
    expect(written()).not.toMatch(/lanterned|zyqvor/);
    expect(retriever.holdsRemoved()).toBe(false);
  });
});

describe('the constraint mask', () => {
  const retriever = createKeywordRetriever({ idOf: String });
  retriever.add([
    entry(0, 'machine learning'),
    entry(1, 'learning a machine'),
    entry(2, 'machine learning for zebras', { title: 'Stripes' }),
    entry(4, 'nothing at all', { title: 'Stripes and spots' }),
  ]);
  const allowed = (changes: Partial<ParsedQuery>, mask?: Uint8Array) => {
    const { mask: result, relaxed } = retriever.constraintMask({ ...query(''), ...changes }, mask);
    return { slots: result && [...result.keys()].filter((slot) => result[slot] === 1), relaxed };
  };

  test('leaves a query without constraints alone', () => {
    expect(allowed({})).toEqual({ slots: undefined, relaxed: false });
    expect(allowed({}, Uint8Array.of(0, 1))).toEqual({ slots: [1], relaxed: false });
  });

  test('keeps the chunks with every phrase', () => {
    expect(allowed({ phrases: [phrase('machine learning')] })).toEqual({ slots: [0, 2], relaxed: false });
    expect(allowed({ phrases: [phrase('machine learning'), phrase('for zebras')] })).toEqual({
      slots: [2],
      relaxed: false,
    });
  });

  test('ignores a phrase that no allowed chunk has', () => {
    expect(allowed({ phrases: [phrase('learning zebras')] })).toEqual({ slots: [0, 1, 2, 4], relaxed: true });
    expect(allowed({ phrases: [phrase('learning zebras'), phrase('learning a machine')] })).toEqual({
      slots: [1],
      relaxed: true,
    });
    expect(allowed({ phrases: [phrase('machine learning')] }, Uint8Array.of(0, 1, 0))).toEqual({
      slots: [1],
      relaxed: true,
    });
  });

  test('leaves out excluded words, prefixes and phrases, in any field', () => {
    expect(allowed({ excludedTerms: [term('zebra')] })).toEqual({ slots: [0, 1, 4], relaxed: false });
    expect(allowed({ excludedTerms: [term('zeb', { prefix: true })] })).toEqual({
      slots: [0, 1, 4],
      relaxed: false,
    });
    expect(allowed({ excludedTerms: [term(termsOf('stripes')[0]!)] })).toEqual({
      slots: [0, 1],
      relaxed: false,
    });
    expect(allowed({ excludedPhrases: [phrase('machine learning')] })).toEqual({
      slots: [1, 4],
      relaxed: false,
    });
  });

  test('keeps the chunks whose title has every required word, or none', () => {
    const stripes = term(termsOf('stripes')[0]!, { field: 'title' });
    expect(allowed({ required: [stripes] })).toEqual({ slots: [2, 4], relaxed: false });
    expect(allowed({ required: [stripes, term('machin', { field: 'title' })] })).toEqual({
      slots: [],
      relaxed: false,
    });
  });

  test('does not change the mask it is given', () => {
    const mask = Uint8Array.of(1, 1, 1, 1, 1);
    allowed({ excludedTerms: [term('zebra')], phrases: [phrase('machine learning')] }, mask);
    expect(mask).toEqual(Uint8Array.of(1, 1, 1, 1, 1));
  });
});

function entry(
  slot: number,
  text: string,
  fields: Partial<DocumentFields> = {},
  headingPath = [''],
): IndexEntry {
  const id = (0xfff - slot).toString(16).padStart(13, '0');
  const document = { title: '', keywords: [], tags: [], aliases: [], ...fields };
  return { slot, chunk: { id, text, headingPath, codeBlocks: [] }, document };
}

function query(text: string): ParsedQuery {
  const terms = termsOf(text).map((word) => term(word));
  const none = { words: [], phrases: [], required: [], excludedTerms: [], excludedPhrases: [], filters: {} };
  return { text, plain: text, terms, ...none };
}

function term(word: string, more: Partial<QueryTerm> = {}): QueryTerm {
  return { term: word, surface: word, prefix: false, ...more };
}

function termsOf(text: string): string[] {
  const terms: string[] = [];
  analyze(text, (word) => void terms.push(word));
  return terms;
}

function phrase(text: string): Phrase {
  const terms: { term: string; position: number }[] = [];
  analyze(text, (word, position) => void terms.push({ term: word, position }));
  return { text, terms };
}

function find(tree: Explanation, ...labels: readonly string[]): number {
  let at: Explanation | undefined = tree;
  for (const label of labels) at = at?.parts?.find((part) => part.label === label);
  return at!.value;
}
