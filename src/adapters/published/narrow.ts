/** Turns the restrictions of a request into conditions; finds the passages that hold a phrase. */
import { createLiveSegments } from '../../core/indexes/live-segments.ts';
import { unitsWithPhrase } from '../../core/indexes/phrase.ts';
import type { Filters, Phrase, QueryTerm } from '../../core/model/query.ts';
import { KEYWORD_FIELDS } from '../../core/model/ranking-constants.ts';
import { documentFilter, languageFilter } from '../../core/query/filter.ts';
import type { Narrowing } from '../../core/retrieval/retrieval.ts';
import { DOCUMENTS, filterConditions, holdsWord, isOf, narrowed, PASSAGES } from './conditions.ts';
import type { EditionReader, Selection } from './engine.ts';
import { type DocumentPayload, dimensionOf } from './format.ts';
import { loadedDocument } from './kept-documents.ts';
import { type LoadedPassage, ofPassage } from './loaded-passages.ts';
import { segmentOf } from './segment-words.ts';
import type { WordList } from './word-list.ts';

export type Narrowed = Awaited<ReturnType<ReturnType<typeof createNarrowing>>>;

/** Max passages that are read to find a phrase. */
const MAX_READ = 20_000;

export function createNarrowing(reader: EditionReader, list: WordList) {
  const wordsOf = ({ term, prefix, forms = [] }: QueryTerm) =>
    prefix
      ? list.passages.expandPrefix(term.toWellFormed())
      : [term, ...forms].map((word) => word.toWellFormed());

  /** Returns the slots of passages that hold a phrase. */
  async function slotsWith(phrase: Phrase, where: Selection): Promise<readonly number[]> {
    const found = new Set<number>();
    for (const terms of [phrase.terms, ...(phrase.others ?? [])]) {
      const words = [...new Set(terms.map(({ term }) => term.toWellFormed()))];
      if (words.length === 0) continue;
      const conditions = words.map((word) => holdsWord([word], undefined));
      const holding = narrowed(where, conditions);
      const wanted = ofPassage(words.map(dimensionOf));
      for await (const page of reader.pages<LoadedPassage>(holding, wanted, MAX_READ)) {
        const segments = createLiveSegments(KEYWORD_FIELDS.length);
        const units = page.map(({ id, payload }) => ({ unit: id, ...payload }));
        segments.add(segmentOf(units, words, true));
        for (const unit of unitsWithPhrase(segments, { text: '', terms })) found.add(unit);
      }
    }
    return [...found];
  }

  /** Finds the documents that pass filters which no condition can express. Reads every document that `where` selects. */
  async function documentsPassing(rest: Filters, where: Selection): Promise<readonly number[]> {
    const passes = documentFilter(rest)!;
    const numbers: number[] = [];
    const pages = reader.pages<Pick<DocumentPayload, 'record'>>(where, { keys: ['record'] });
    for await (const page of pages) {
      const documents = page.map(({ payload }) => loadedDocument(payload));
      numbers.push(...documents.filter(passes).map(({ number }) => number));
    }
    return numbers;
  }

  return async ({ query, filters }: Narrowing) => {
    const all = [filters, query.filters];
    const compiled = all.map(filterConditions);
    let [document, passage] = [DOCUMENTS, PASSAGES];
    for (const each of compiled) {
      document = narrowed(document, each.document.all, each.document.none);
      passage = narrowed(passage, each.document.all, each.document.none);
      passage = narrowed(passage, each.passage.all, each.passage.none);
    }
    for (const { rest } of compiled) {
      if (!documentFilter(rest)) continue;
      const numbers = await documentsPassing(rest, document);
      document = narrowed(document, [{ ids: numbers }]);
      passage = narrowed(passage, [isOf(...numbers)]);
    }
    const { required, phrases, excludedTerms, excludedPhrases } = query;
    const excluded = excludedTerms.map((term) => holdsWord(wordsOf(term), term.field));
    for (const phrase of excludedPhrases) excluded.push({ ids: await slotsWith(phrase, PASSAGES) });
    const wanted = required.map((term) => holdsWord(wordsOf(term), term.field));
    passage = narrowed(passage, wanted, excluded);
    let relaxed = false;
    for (const phrase of phrases) {
      const ids = await slotsWith(phrase, passage);
      if (ids.length > 0) passage = narrowed(passage, [{ ids }]);
      else relaxed = true;
    }
    const demands = required.length + phrases.length + excluded.length;
    const spoken = [...phrases, ...excludedPhrases].flatMap(({ terms, others = [] }) =>
      [terms, ...others].flat(),
    );
    return {
      document,
      passage,
      relaxed,
      /** Conditions on passages with an excluded word or phrase; undefined if nothing is excluded. */
      excluded: excluded.length > 0 ? excluded : undefined,
      /** Words that must be loaded to check the restrictions. */
      terms: [
        ...[...required, ...excludedTerms].flatMap(wordsOf),
        ...spoken.map(({ term }) => term.toWellFormed()),
      ],
      isNarrow: demands > 0 || all.some((each) => documentFilter(each) ?? languageFilter(each)),
    };
  };
}
