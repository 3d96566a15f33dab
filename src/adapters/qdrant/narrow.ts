/** Turns the restrictions of a request into conditions; finds the passages that hold a phrase. */
import { createLiveSegments } from '../../core/indexes/live-segments.ts';
import { unitsWithPhrase } from '../../core/indexes/phrase.ts';
import type { Filters, Phrase, QueryTerm } from '../../core/model/query.ts';
import { KEYWORD_FIELDS } from '../../core/model/ranking-constants.ts';
import { documentFilter, languageFilter } from '../../core/query/filter.ts';
import type { Narrowing } from '../../core/retrieval/retrieval.ts';
import {
  both,
  type Conditions,
  filterConditions,
  holdsWord,
  isAnyOf,
  isKind,
  NO_CONDITIONS,
} from './conditions.ts';
import { type LoadedPassage, loadedDocument, passageKeys } from './loaded-passages.ts';
import type { Points } from './points.ts';
import { type DocumentPayload, dimensionOf, documentId } from './schema.ts';
import { segmentOf } from './segment-words.ts';
import type { WordCounts } from './word-counts.ts';

export interface Narrowed {
  /** Conditions on points of documents, and on those of passages. */
  readonly document: Conditions;
  readonly passage: Conditions;
  /** Passages that hold an excluded word or phrase; undefined if nothing is excluded. */
  readonly excluded: Conditions['must_not'] | undefined;
  /** Terms whose occurrences decide the restrictions. */
  readonly terms: readonly string[];
  readonly isNarrow: boolean;
  readonly relaxed: boolean;
}

/** Passages that are read to find those with a phrase. */
const MAX_READ = 20_000;

export function createNarrowing(points: Points, counts: WordCounts) {
  const wordsOf = ({ term, prefix, forms = [] }: QueryTerm) =>
    prefix ? counts.wordsOf(term.toWellFormed()) : [term, ...forms].map((word) => word.toWellFormed());

  /** Returns the slots of passages that hold a phrase. */
  async function slotsWith(phrase: Phrase, conditions: Conditions): Promise<readonly number[]> {
    const found = new Set<number>();
    for (const terms of [phrase.terms, ...(phrase.others ?? [])]) {
      const words = [...new Set(terms.map(({ term }) => term.toWellFormed()))];
      if (words.length === 0) continue;
      const holding = { must: words.map((word) => holdsWord([word], undefined)) };
      const keys = passageKeys(words.map(dimensionOf));
      const filter = both({ must: [isKind('passage')] }, conditions, holding);
      for await (const page of points.pages<LoadedPassage>(filter, keys, MAX_READ)) {
        const segments = createLiveSegments(KEYWORD_FIELDS.length);
        segments.add(
          segmentOf(
            page.map(({ id, payload }) => ({ unit: id, ...payload })),
            words,
            true,
          ),
        );
        for (const unit of unitsWithPhrase(segments, { text: '', terms })) found.add(unit);
      }
    }
    return [...found];
  }

  /** Finds the documents that pass filters which conditions cannot express. */
  async function documentsPassing(rest: Filters, conditions: Conditions): Promise<readonly number[]> {
    const passes = documentFilter(rest)!;
    const filter = both({ must: [isKind('document')] }, conditions);
    const numbers: number[] = [];
    for await (const page of points.pages<Pick<DocumentPayload, 'record'>>(filter, ['record'])) {
      const documents = page.map(({ payload }) => loadedDocument(payload));
      numbers.push(...documents.filter(passes).map(({ number }) => number));
    }
    return numbers;
  }

  return async ({ query, filters }: Narrowing): Promise<Narrowed> => {
    const all = [filters, query.filters];
    const compiled = all.map(filterConditions);
    let document = both(NO_CONDITIONS, ...compiled.map((each) => each.document));
    let passage = both({ must: [isKind('passage')] }, document, ...compiled.map((each) => each.passage));
    for (const { rest } of compiled) {
      if (!documentFilter(rest)) continue;
      const numbers = await documentsPassing(rest, document);
      document = both(document, { must: [{ has_id: numbers.map(documentId) }] });
      passage = both(passage, { must: [isAnyOf('document', numbers)] });
    }
    const { required, phrases, excludedTerms, excludedPhrases } = query;
    await counts.expand(
      [...query.terms, ...required, ...excludedTerms].flatMap(({ prefix, term }) =>
        prefix ? [term.toWellFormed()] : [],
      ),
    );
    const excluded = excludedTerms.map((term) => holdsWord(wordsOf(term), term.field));
    for (const phrase of excludedPhrases)
      excluded.push({ has_id: [...(await slotsWith(phrase, NO_CONDITIONS))] });
    passage = both(passage, {
      must: required.map((term) => holdsWord(wordsOf(term), term.field)),
      must_not: excluded,
    });
    let relaxed = false;
    for (const phrase of phrases) {
      const slots = await slotsWith(phrase, passage);
      if (slots.length > 0) passage = both(passage, { must: [{ has_id: [...slots] }] });
      else relaxed = true;
    }
    const demands = required.length + phrases.length + excluded.length;
    const spoken = [...phrases, ...excludedPhrases].flatMap(({ terms, others = [] }) =>
      [terms, ...others].flat(),
    );
    return {
      ...{ document: both({ must: [isKind('document')] }, document), passage, relaxed },
      excluded: excluded.length > 0 ? excluded : undefined,
      terms: [
        ...[...required, ...excludedTerms].flatMap(wordsOf),
        ...spoken.map(({ term }) => term.toWellFormed()),
      ],
      isNarrow: demands > 0 || all.some((each) => documentFilter(each) ?? languageFilter(each)),
    };
  };
}
