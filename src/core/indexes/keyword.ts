/** Ranks chunks by their words: BM25F over title, headings, front matter fields and text. */
import { MAX_FIELD_LENGTH } from '../model/document.ts';
import type { ParsedQuery, PhraseTerms } from '../model/query.ts';
import { KEYWORD_FIELDS, type KeywordField, RANKING } from '../model/ranking-constants.ts';
import { analyze } from '../text/analyze.ts';
import { fold } from '../text/fold.ts';
import { withoutLinkDefinitions } from '../text/link-definitions.ts';
import { createAcronyms, definitionsOf } from './acronyms.ts';
import { constrain } from './constraints.ts';
import { type Bm25Options, createLexicalIndex } from './lexical-index.ts';
import { type LexicalRanking, rankScores } from './lexical-ranking.ts';
import { countLive } from './live-segments.ts';
import { headingShares } from './name-share.ts';
import { findNearPairs, type WeighedWord } from './near-pairs.ts';
import { nearWords } from './near-words.ts';
import { unitsWithPhrase } from './phrase.ts';
import type { IndexEntry, RetrieverQuery, SlotMask } from './retriever.ts';
import type { SegmentBuilder } from './segment-builder.ts';

interface KeywordOptions extends Bm25Options {
  /** Weight of a word in each field, 0 or more. @default the weight in `RANKING` */
  readonly weights?: Readonly<Partial<Record<KeywordField, number>>>;
  /** The chunk id of a slot, which orders equal scores. */
  readonly idOf: (slot: number) => string;
}

export type KeywordRetriever = ReturnType<typeof createKeywordRetriever>;

/** Starts an empty keyword index. The fields of a document are indexed with each of its chunks. */
export function createKeywordRetriever({ weights, idOf, ...options }: KeywordOptions) {
  const { postings, ...index } = createLexicalIndex<IndexEntry>(options, {
    fields: KEYWORD_FIELDS.map((name) => ({
      name,
      weight: weights?.[name] ?? RANKING.words.fields[name],
    })),
    analyze,
    foldSurface: fold,
    positions: true,
    unitOf: ({ slot }) => slot,
    read: addTexts,
  });
  const countOf = (term: string) => countLive(postings.segments, term);

  return {
    ...index,
    ...createAcronyms(postings.segments),
    /** Scores by `parsed.terms`. Phrases and exclusions are not checked here: `constraintMask` puts them into the mask. */
    search({ parsed }: RetrieverQuery, k: number, mask?: SlotMask): LexicalRanking {
      return rankScores(postings, postings.score(parsed.terms), { lane: 'keyword', k, mask, idOf });
    },
    /** Finds which adjacent words of a query are near each other in a passage. */
    nearPairs: (words: readonly WeighedWord[]) => findNearPairs(postings.segments, words),
    /** Makes a function that returns how much of a query the headings of a passage cover. */
    headingShares: (words: readonly WeighedWord[]) => headingShares(postings.segments, words),
    /** Narrows a mask by phrases, exclusions and `title:`. The result is made once per query, for all retrievers. */
    constraintMask: (parsed: ParsedQuery, mask?: SlotMask) => constrain(postings, parsed, mask),
    countOf,
    countOfPhrase: (terms: PhraseTerms) => unitsWithPhrase(postings.segments, { text: '', terms }).length,
    nearWords: (word: string, maxSlips: number) =>
      nearWords(
        postings.segments.all.map(({ segment }) => segment),
        countOf,
        word,
        maxSlips,
      ),
  };
}

const CONTENT = KEYWORD_FIELDS.indexOf('content');

function addTexts(add: SegmentBuilder['add'], entry: IndexEntry): void {
  const { slot, chunk, analyzer } = entry;
  for (const [field, texts] of fieldTexts(entry).entries()) {
    for (const text of texts) add(slot, field, text, analyzer?.tokenize);
  }
  add(slot, CONTENT, chunk.text, definitionsOf(analyzer?.tokenize));
}

/** Returns the texts of each field, in the order of `KEYWORD_FIELDS`. */
function fieldTexts({ chunk, document }: IndexEntry): readonly (readonly string[])[] {
  const texts: Readonly<Record<KeywordField, readonly string[]>> = {
    title: [document.title],
    headers: chunk.headingPath.slice(1),
    keywords: searched(document.keywords),
    description: searched([document.description]),
    tags: searched(document.tags),
    aliases: searched(document.aliases),
    author: searched([document.author]),
    category: searched([document.category]),
    content: [...(chunk.contextPrefix ? [chunk.contextPrefix] : []), withoutLinkDefinitions(chunk.text)],
  };
  return KEYWORD_FIELDS.map((field) => texts[field]);
}

/** Returns the first texts, with at most `MAX_FIELD_LENGTH` characters in total; the last text may be cut. */
function searched(texts: readonly (string | undefined)[]): readonly string[] {
  let left = MAX_FIELD_LENGTH;
  const taken: string[] = [];
  // Limit the total: a document may have thousands of tags, and each of its passages is indexed with them.
  for (const text of texts) {
    if (left === 0) break;
    if (!text) continue;
    taken.push(text.slice(0, left));
    left = Math.max(0, left - text.length);
  }
  return taken;
}
