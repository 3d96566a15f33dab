/** Retrieval by brute force over plain arrays, written down from the formulas: what other implementations are held against. */
// over 300 lines: a whole implementation of one port, read beside its formulas
import type { Candidates, Found, LaneFound } from '../../src/core/model/candidates.ts';
import type { Chunk } from '../../src/core/model/chunk.ts';
import type { CatalogDocument, ParsedDocument } from '../../src/core/model/document.ts';
import { documentNames } from '../../src/core/model/document.ts';
import type { ParsedQuery, PhraseTerms } from '../../src/core/model/query.ts';
import { KEYWORD_FIELDS, type Lane, RANKING } from '../../src/core/model/ranking-constants.ts';
import type { ChunkRecord } from '../../src/core/ports.ts';
import { codeQueryTerms } from '../../src/core/query/code.ts';
import { documentFilter, languageFilter } from '../../src/core/query/filter.ts';
import type { Narrowing, Retrieval, RetrievalRequest } from '../../src/core/retrieval/retrieval.ts';
import { analyze } from '../../src/core/text/analyze.ts';
import { fold } from '../../src/core/text/fold.ts';
import { analyzeCode } from '../../src/core/text/identifiers.ts';
import { plainWords } from '../../src/core/text/plain-words.ts';

export interface ReferencePassage {
  readonly slot: number;
  readonly chunk: Chunk;
  readonly vector: Float32Array;
  readonly content: number;
}

export interface ReferenceDocument {
  readonly facts: CatalogDocument;
  readonly fields: ParsedDocument;
  readonly passages: readonly ReferencePassage[];
  /** Numbers of linked documents, with the weights of the links. */
  readonly links: ReadonlyMap<number, number>;
}

interface Word {
  readonly term: string;
  readonly surface: string;
  readonly position: number;
}
interface Field {
  readonly words: readonly Word[];
  readonly length: number;
}
/** Its fields by name. */
type Unit = Readonly<Record<string, Field>>;
interface Term {
  readonly term: string;
  readonly prefix: boolean;
  readonly count?: number;
  readonly field?: string;
}
interface Scored {
  readonly of: ReadonlyMap<number, number>;
  readonly covered: ReadonlyMap<number, number>;
  readonly best: number;
  readonly bound: number;
  readonly idf: ReadonlyMap<string, number>;
}

const { k1, b } = RANKING.words;
const sum = (values: Iterable<number>) => [...values].reduce((all, value) => all + value, 0);
const inverse = (all: number, holding: number) => Math.log(1 + (all - holding + 0.5) / (holding + 0.5));

function fieldOf(texts: readonly string[], read = analyze): Field {
  const words: Word[] = [];
  let length = 0;
  let offset = 0;
  for (const text of texts) {
    const positions = read(text, (term, position, start, end) => {
      words.push({ term, surface: fold(text.slice(start, end)), position: position + offset });
    });
    length += positions;
    offset += positions + 1;
  }
  return { words, length };
}

/** The terms that a term of a query stands for. */
function termsOf(units: ReadonlyMap<number, Unit>, { term, prefix }: Term): ReadonlySet<string> {
  if (!prefix) return new Set([term]);
  const words = [...units.values()].flatMap((unit) => Object.values(unit).flatMap((field) => field.words));
  return new Set(words.filter(({ surface }) => surface.startsWith(term)).map((word) => word.term));
}

/** BM25F of every unit, straight from its formula. */
function bm25f(
  units: ReadonlyMap<number, Unit>,
  weights: Readonly<Record<string, number>>,
  terms: readonly Term[],
): Scored {
  const of = new Map<number, number>();
  const matched = new Map<number, number>();
  const idf = new Map<string, number>();
  let [total, bound] = [0, 0];
  const average = (name: string) => sum([...units.values()].map((unit) => unit[name]!.length)) / units.size;
  for (const query of terms) {
    const wanted = termsOf(units, query);
    const frequencies = [...units].map(([number, unit]) => {
      const inFields = Object.entries(weights).map(([name, weight]) => {
        if (query.field !== undefined && query.field !== name) return 0;
        const { words, length } = unit[name]!;
        const tf = words.filter(({ term }) => wanted.has(term)).length;
        return tf === 0 ? 0 : (weight * tf) / (1 - b + (b * length) / average(name));
      });
      return [number, sum(inFields)] as const;
    });
    const holding = frequencies.filter(([, tf]) => tf > 0);
    const own = inverse(units.size, holding.length);
    const { count = 1 } = query;
    for (const [number, tf] of holding) {
      of.set(number, (of.get(number) ?? 0) + (count * own * tf * (k1 + 1)) / (tf + k1));
      matched.set(number, (matched.get(number) ?? 0) + own);
    }
    if (!idf.has(query.term)) idf.set(query.term, own);
    total += own;
    bound += count * own * (k1 + 1);
  }
  const covered = new Map([...matched].map(([number, own]) => [number, Math.min(1, own / total)]));
  return { of, covered, idf, bound, best: Math.max(0, ...of.values()) };
}

function holdsPhrase(unit: Unit, phrase: PhraseTerms): boolean {
  const origin = phrase[0]!.position;
  return Object.values(unit).some(({ words }) =>
    words.some(({ position }) =>
      phrase.every((each) =>
        words.some((word) => word.term === each.term && word.position === position + each.position - origin),
      ),
    ),
  );
}

export function createReferenceRetrieval(documents: readonly ReferenceDocument[]): Retrieval {
  const passages = documents.flatMap((document) =>
    document.passages.map((passage) => ({ ...passage, document })),
  );
  type Passage = (typeof passages)[number];
  const bySlot = new Map(passages.map((passage) => [passage.slot, passage]));
  const byNumber = new Map(documents.map((document) => [document.facts.number, document]));
  const units = new Map(passages.map((passage) => [passage.slot, unitOf(passage)]));
  const coded = new Map(
    passages
      .filter(({ chunk }) => chunk.codeBlocks.length > 0)
      .map(({ slot, chunk }) => [
        slot,
        {
          code: fieldOf(
            chunk.codeBlocks.map(({ text }) => text),
            analyzeCode,
          ),
        },
      ]),
  );
  const whole = new Map(
    documents.map(({ facts, fields }) => [
      facts.number,
      { names: fieldOf(documentNames(facts)), text: fieldOf([fields.text]) },
    ]),
  );

  function unitOf({ chunk, document: { fields } }: Passage): Unit {
    const texts: Readonly<Record<(typeof KEYWORD_FIELDS)[number], readonly string[]>> = {
      title: [fields.title],
      headers: chunk.headingPath.slice(1),
      keywords: fields.keywords,
      description: [fields.description ?? ''],
      tags: fields.tags,
      aliases: fields.aliases,
      author: [fields.author ?? ''],
      category: [fields.category ?? ''],
      content: [...(chunk.contextPrefix === undefined ? [] : [chunk.contextPrefix]), chunk.text],
    };
    return Object.fromEntries(KEYWORD_FIELDS.map((name) => [name, fieldOf(texts[name].filter(Boolean))]));
  }

  function holds(slot: number, query: Term): boolean {
    const wanted = termsOf(units, query);
    return Object.entries(units.get(slot)!).some(
      ([name, { words }]) =>
        (query.field === undefined || query.field === name) && words.some(({ term }) => wanted.has(term)),
    );
  }

  function narrow({ query, filters }: Narrowing) {
    const both = [filters, query.filters];
    let left = passages.filter(
      ({ document: { facts }, chunk }) =>
        both.every((each) => documentFilter(each)?.(facts) ?? true) &&
        both.every(
          (each) => languageFilter(each)?.(chunk.codeBlocks.map(({ language }) => language)) ?? true,
        ),
    );
    left = left.filter(({ slot }) => !isExcluded(slot, query));
    left = left.filter(({ slot }) => query.required.every((term) => holds(slot, term)));
    let relaxed = false;
    for (const { terms } of query.phrases) {
      const kept = left.filter(({ slot }) => holdsPhrase(units.get(slot)!, terms));
      if (kept.length > 0) left = kept;
      else relaxed = true;
    }
    const demands = query.phrases.length + query.required.length;
    const isNarrow =
      demands + query.excludedTerms.length + query.excludedPhrases.length > 0 ||
      both.some((each) => documentFilter(each) ?? languageFilter(each));
    return { left, relaxed, total: passages.length, ...(isNarrow && { passing: left.length }) };
  }

  function isExcluded(slot: number, { excludedTerms, excludedPhrases }: ParsedQuery): boolean {
    return (
      excludedTerms.some((term) => holds(slot, term)) ||
      excludedPhrases.some(({ terms }) => holdsPhrase(units.get(slot)!, terms))
    );
  }

  /** Each lane's score of any passage. */
  async function lanesOf({ query, lanes, vector }: RetrievalRequest) {
    const asked = await vector;
    const words = bm25f(units, RANKING.words.fields, query.terms);
    const code = bm25f(coded, { code: 1 }, codeQueryTerms(query.plain));
    const named = query.terms.map(({ field, ...term }) =>
      field === 'title' ? { ...term, field: 'names' } : term,
    );
    const document = bm25f(whole, { names: RANKING.words.names, text: 1 }, named);
    const title = bm25f(whole, { names: 1 }, named);
    const cosine = ({ vector }: Passage) => sum(vector.map((value, i) => value * (asked?.[i] ?? 0)));
    const cosines = passages.map(cosine).sort((x, y) => x - y);
    const middle = cosines.length >> 1;
    const median = cosines.length % 2 ? cosines[middle]! : (cosines[middle - 1]! + cosines[middle]!) / 2;
    const ofDocument = (scores: Scored) => (passage: Passage) =>
      scores.of.get(passage.document.facts.number) ?? 0;
    const all: Partial<Record<Lane, Omit<LaneFound, 'scores' | 'ranked' | 'shares'> & LaneFunctions>> = {
      ...(asked && { semantic: { score: cosine, brings: true, best: cosines.at(-1) ?? 0, median } }),
      keyword: { ...words, score: ({ slot }) => words.of.get(slot) ?? 0, brings: true },
      coverage: {
        score: ({ slot }) => words.covered.get(slot) ?? 0,
        best: Math.max(0, ...words.covered.values()),
      },
      document: { best: document.best, bound: document.bound, score: ofDocument(document) },
      ...(asked &&
        lanes.includes('semantic') && {
          subject: {
            ...{ best: cosines.at(-1) ?? 0, median },
            score: ({ document }) => {
              const best = document.passages
                .map((passage) => Math.max(0, cosine({ ...passage, document })))
                .sort((x, y) => y - x);
              return sum(best.slice(0, 2)) / Math.min(2, best.length);
            },
          },
        }),
      name: {
        best: 1,
        ...sharesOfFileName(query, (number) => !lanes.includes('title') || title.of.has(number)),
      },
      ...(lanes.includes('keyword') && {
        heading: { best: 1, ...sharesOfHeadings(query, words.idf) },
        nearness: { best: 1, score: shareOfPairs(query, words.idf) },
      }),
      title: {
        brings: 'documents',
        ...{ best: title.best, bound: title.bound, score: ofDocument(title) },
        share: (passage) => shareOfName(passage.document, query),
      },
      code: { ...code, score: ({ slot }) => code.of.get(slot) ?? 0, brings: true },
    };
    return lanes.flatMap((lane) => (all[lane] ? [{ lane, ...all[lane] }] : []));
  }

  interface LaneFunctions {
    readonly score: (passage: Passage) => number;
    readonly share?: (passage: Passage) => number;
    /** Of documents only the first passages worth showing, of ten at most. */
    readonly brings?: boolean | 'documents';
  }

  /** The idf of the words of a name that the query says, as a share of that of all its words; of the name it says most of. */
  function shareOfName({ facts }: ReferenceDocument, { terms }: ParsedQuery): number {
    const said = new Set(terms.flatMap((term) => [...termsOf(whole, term)]));
    const idfOf = (term: string) => {
      const holding = [...whole.values()].filter((unit) =>
        Object.values(unit).some(({ words }) => words.some((word) => word.term === term)),
      );
      return inverse(whole.size, holding.length);
    };
    const shares = documentNames(facts).map((name) => {
      const own = [...new Set(fieldOf([name]).words.map(({ term }) => term))];
      const all = sum(own.map(idfOf));
      return all === 0 ? 0 : sum(own.filter((term) => said.has(term)).map(idfOf)) / all;
    });
    return Math.max(0, ...shares);
  }

  const idfAmong = (all: ReadonlyMap<number, Unit>) => (term: string) => {
    const holding = [...all.values()].filter((unit) =>
      Object.values(unit).some(({ words }) => words.some((word) => word.term === term)),
    );
    return inverse(all.size, holding.length);
  };

  function sharesOfFileName({ words }: ParsedQuery, isNamed: (number: number) => boolean): LaneFunctions {
    const idf = idfAmong(whole);
    const [asked, last] = [[...new Set(words.map(({ term }) => term))], words.at(-1)?.term];
    const ofName = ({ document: { facts } }: Passage) => {
      const [, base = '', extension = ''] = /([^/]*?)(?:\.([^./]+))?$/.exec(facts.path)!;
      const own = new Set(plainWords(base, analyze).map(({ term }) => term));
      const due = asked.filter(
        (term) => asked.length < 2 || own.has(term) || term !== last || term !== extension,
      );
      return { own: [...own], due, both: asked.filter((term) => own.has(term)) };
    };
    return {
      score(passage) {
        const { due, both } = ofName(passage);
        return both.length === 0 || !isNamed(passage.document.facts.number)
          ? 0
          : sum(both.map(idf)) / sum(due.map(idf));
      },
      share(passage) {
        const { own, both } = ofName(passage);
        return sum(both.map(idf)) / sum(own.map(idf));
      },
    };
  }

  function sharesOfHeadings({ words }: ParsedQuery, known: Scored['idf']): LaneFunctions {
    const idf = (term: string) => known.get(term)!;
    const asked = [...new Set(words.map(({ term }) => term))].filter((term) => known.has(term));
    const countOf = ({ slot }: Passage, term: string) =>
      units.get(slot)!['headers']!.words.filter((word) => word.term === term).length;
    return {
      score: (passage) =>
        asked.length === 0
          ? 0
          : sum(asked.filter((term) => countOf(passage, term) > 0).map(idf)) / sum(asked.map(idf)),
      share: (passage) =>
        Math.min(
          1,
          sum(asked.map((term) => countOf(passage, term))) / units.get(passage.slot)!['headers']!.length,
        ),
    };
  }

  function shareOfPairs({ words }: ParsedQuery, idf: Scored['idf']): (passage: Passage) => number {
    const content = words.filter(({ term }) => idf.has(term));
    const pairs = content.slice(1).map((second, index) => {
      const first = content[index]!;
      const within = Math.max(3, second.position - first.position);
      return { first, second, within, idf: Math.min(idf.get(first.term)!, idf.get(second.term)!) };
    });
    return ({ slot }) => {
      const fields = Object.values(units.get(slot)!);
      const near = pairs.filter(({ first, second, within }) =>
        fields.some(({ words }) =>
          words.some(
            (one) =>
              one.term === first.term &&
              words.some(
                ({ term, position }) =>
                  term === second.term && position > one.position && position - one.position <= within,
              ),
          ),
        ),
      );
      return sum(near.map((pair) => pair.idf)) / (sum(pairs.map((pair) => pair.idf)) || 1);
    };
  }

  const isBefore = (a: Passage, b: Passage) => (a.chunk.id < b.chunk.id ? -1 : 1);

  async function collect(
    chosen: readonly Passage[],
    request: Pick<RetrievalRequest, 'query'> & Partial<RetrievalRequest>,
    ranked: (lane: Lane) => readonly Passage[] = () => [],
  ): Promise<Candidates> {
    const lanes = request.lanes ? await lanesOf(request as RetrievalRequest) : [];
    const mayShow = ({ chunk, document }: Passage) =>
      document.passages.every(
        ({ slot, chunk: { parentId } }) => parentId !== chunk.parentId || !isExcluded(slot, request.query),
      );
    return {
      slots: chosen.map(({ slot }) => slot),
      ids: chosen.map(({ chunk }) => chunk.id),
      documents: chosen.map(({ document }) => document.facts.number),
      modified: chosen.map(({ document }) => document.facts.modified),
      contents: chosen.map(({ content }) => content),
      parents: chosen.map((passage) => (mayShow(passage) ? passage.chunk.parentId : undefined)),
      shown: chosen.map(isShown),
      lanes: Object.fromEntries(
        lanes.map(({ lane, score, share, best, median, bound, idf }) => [
          lane,
          {
            scores: Float64Array.from(chosen, score),
            ranked: ranked(lane).map((passage) => chosen.indexOf(passage)),
            best,
            ...(share && {
              shares: Float64Array.from(chosen, (passage) => (score(passage) > 0 ? share(passage) : 0)),
            }),
            ...(median !== undefined && { median }),
            ...(bound !== undefined && { bound }),
            ...(idf && lane === 'keyword' && { idf }),
          },
        ]),
      ),
    };
  }

  function isShown({ content, document }: Passage): boolean {
    return content !== 0 || document.passages.every((each) => each.content === 0);
  }

  const found = ({ left: _, ...facts }: ReturnType<typeof narrow>, candidates: Candidates): Found => ({
    ...candidates,
    ...facts,
  });

  return {
    capabilities: {
      exactWords: true,
      exactVectors: true,
      phrases: true,
      wordForms: false,
      explanations: false,
    },
    async retrieve(request) {
      const narrowed = narrow(request);
      const lanes = await lanesOf(request);
      const ranked = new Map(
        lanes.map(({ lane, score, brings }) => {
          const shown = narrowed.left.filter(isShown);
          const firsts = documents.flatMap((each) => shown.find(({ document }) => document === each) ?? []);
          const matching = (brings === 'documents' ? firsts : narrowed.left).filter(
            (passage) => brings && (lane === 'semantic' || score(passage) > 0),
          );
          const most = brings === 'documents' ? Math.min(10, request.depth) : request.depth;
          const best = matching.sort((a, b) => score(b) - score(a) || isBefore(a, b)).slice(0, most);
          return [lane, best];
        }),
      );
      const asked = {
        ...request,
        lanes: request.lanes.filter(
          (lane) => (lane !== 'semantic' && lane !== 'subject') || ranked.get('semantic')?.length,
        ),
      };
      const chosen = [...new Set([...ranked.values()].flat())];
      return found(narrowed, await collect(chosen, asked, (lane) => ranked.get(lane) ?? []));
    },
    async list(narrowing) {
      const narrowed = narrow(narrowing);
      const first = documents.flatMap(
        (document) => narrowed.left.find((each) => each.document === document && isShown(each)) ?? [],
      );
      return found(narrowed, await collect(first, { query: narrowing.query }));
    },
    async bestPassages(request, numbers) {
      const { left } = narrow(request);
      const lanes = (await lanesOf(request)).filter(({ lane }) => lane === 'semantic' || lane === 'keyword');
      const spans = lanes.map(({ score, median = 0 }) => {
        const top = left.length === 0 ? 0 : Math.max(...left.map(score));
        return { median, span: top - median || 1, score };
      });
      const relevance = (passage: Passage) =>
        sum(spans.map(({ score, median, span }) => (score(passage) - median) / span));
      const chosen = numbers.flatMap((number) => {
        const own = left.filter(({ document }) => document.facts.number === number);
        return own.sort((a, b) => relevance(b) - relevance(a) || isBefore(a, b)).slice(0, 1);
      });
      return collect(chosen, request);
    },
    neighbours(request, numbers) {
      const { left } = narrow(request);
      return numbers.map((document) => ({
        document,
        id: byNumber.get(document)?.facts.id ?? '',
        passes: left.some((passage) => passage.document.facts.number === document),
        links: byNumber.get(document)?.links ?? new Map<number, number>(),
      }));
    },
    explain: () => ({}),
    documents: (numbers) => numbers.map((number) => byNumber.get(number)?.facts),
    chunks: (slots) => slots.map((slot) => recordOf(bySlot.get(slot))),
    texts: (slots) => slots.map((slot) => ownText(bySlot.get(slot))),
    vectors: (slots) => slots.map((slot) => bySlot.get(slot)?.vector),
    sections: (parents) =>
      parents.map(({ document, id }) => {
        const own = byNumber.get(document)?.passages.filter(({ chunk }) => chunk.parentId === id) ?? [];
        if (own.length === 0) return undefined;
        const lines = own.map(({ chunk }) => [chunk.startLine, chunk.endLine] as const);
        return {
          text: own.map(ownText).join(''),
          startLine: Math.min(...lines.map(([start]) => start)),
          endLine: Math.max(...lines.map(([, end]) => end)),
        };
      }),
  };

  function recordOf(passage: Passage | undefined): ChunkRecord | undefined {
    return passage && { ...passage.chunk, slot: passage.slot, document: passage.document.facts.number };
  }
}

function ownText(passage: Pick<ReferencePassage, 'chunk'> | undefined): string {
  return passage ? passage.chunk.text.slice(passage.chunk.overlap) : '';
}
