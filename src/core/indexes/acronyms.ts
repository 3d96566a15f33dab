/**
 * Finds acronyms and their long forms in the collection. Definitions are stored as terms of the keyword index, so they are
 * removed together with their passages.
 */
import type { CollectionWords, PhraseTerms } from '../model/query.ts';
import { findAcronyms } from '../text/acronyms.ts';
import { analyze } from '../text/analyze.ts';
import { compareText } from '../text/compare-text.ts';
import { plainWords } from '../text/plain-words.ts';
import type { Tokenizer } from '../text/token.ts';
import { prefixRange, wordAt } from './dictionary.ts';
import { countLive, type LiveSegments } from './live-segments.ts';
import type { Analyze } from './segment-builder.ts';

/** Separator before each of the two parts of a definition; no term of a text contains it. */
const MARK = '\u0001';

/** Visits each definition of a text as one term. The term has position 0, and adds nothing to the length of the text. */
export function definitionsOf(tokenize: Tokenizer = analyze): Analyze {
  return (text, visit) => {
    for (const { short, long } of findAcronyms(text)) {
      const [name, words] = [termsOf(short, tokenize), termsOf(long, tokenize)];
      if (name.length === 1 && words.length > 1) visit(MARK + name[0] + MARK + words.join(' '), 0, 0, 0);
    }
    return 0;
  };
}

/** Returns one term per position. Empty if a word is not indexed: the terms before and after it would look adjacent. */
function termsOf(text: string, tokenize: Tokenizer): readonly string[] {
  const words = plainWords(text, tokenize);
  return words.every(({ position }, index) => position === index) ? words.map(({ term }) => term) : [];
}

/** Makes the functions that look up definitions. They read the definitions again after every change of the index. */
export function createAcronyms(
  segments: LiveSegments,
): Pick<CollectionWords, 'longFormsOf' | 'shortFormsOf'> {
  let version = -1;
  let longForms = new Map<string, readonly PhraseTerms[]>();
  let shortForms = new Map<string, readonly string[]>();

  function refresh(): void {
    if (version === segments.version) return;
    version = segments.version;
    const terms = new Set(
      segments.all.flatMap(({ segment: { terms } }) => {
        const [from, to] = prefixRange(terms, MARK);
        return Array.from({ length: to - from }, (_, index) => wordAt(terms, from + index));
      }),
    );
    const live = [...terms]
      .map((term) => ({ parts: term.slice(1).split(MARK), count: countLive(segments, term) }))
      .filter(({ count }) => count > 0)
      .map(({ parts: [short = '', long = ''], count }) => ({ short, long, count }))
      .sort((a, b) => b.count - a.count || compareText(a.long, b.long) || compareText(a.short, b.short));
    longForms = new Map(
      [...Map.groupBy(live, ({ short }) => short)].map(([short, all]) => [
        short,
        all.map(({ long }) => long.split(' ').map((term, position) => ({ term, position }))),
      ]),
    );
    shortForms = new Map(
      [...Map.groupBy(live, ({ long }) => long)].map(([long, all]) => [long, all.map(({ short }) => short)]),
    );
  }

  return {
    longFormsOf(term) {
      refresh();
      return longForms.get(term) ?? [];
    },
    shortFormsOf(terms) {
      refresh();
      return shortForms.get(terms.join(' ')) ?? [];
    },
  };
}
