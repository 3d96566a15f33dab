/** Finds compounds by their parts and parts by their compounds, in languages that write compounds as one word. */
import type { ParsedQuery, QueryTerm } from '../model/query.ts';
import type { Analyzer } from '../text/analyzer.ts';
import { fold } from '../text/fold.ts';
import type { LanguageCode } from '../text/languages.ts';
import { memoize } from '../text/memoize.ts';
import { MAX_TERM_LENGTH } from '../text/words.ts';
import { MAX_NAME_QUERY_LENGTH, MIN_PART_LETTERS } from './name-forms.ts';
import { type KnownWords, withTerms } from './terms.ts';

/** For each language that writes compounds as one word: linking elements between the parts, such as `s` in `Arbeitszeit`. */
const LINKS: Partial<Readonly<Record<LanguageCode, readonly string[]>>> = {
  da: ['s', 'e'],
  de: ['s', 'es', 'n', 'en', 'er', 'e'],
  nl: ['s', 'en', 'e'],
  no: ['s', 'e'],
  sv: ['s', 'e', 'o', 'u'],
};
/** Max parts of a compound. A part may be a compound too. */
const MAX_PARTS = 3;
/** Weight of a part, measured on questions in German, Dutch and Swedish: docs/decisions/0091-compounds.md. */
const PART_WEIGHT = 0.8;

type CollectionFacts = Pick<KnownWords, 'countOf' | 'isStopWord'>;

/**
 * Adds to the words of a query, for each analyzer whose language is in `LINKS`:
 * - The parts of a compound, with weight 0.8: `Formularerstellung` also finds `Erstellung` and `Formular`. A part is a word of the
 *   collection. A compound is split only if its parts are more frequent than the compound (geometric mean, Koehn and Knight 2003).
 * - The same compound with other linking elements, as a form: `Adressenbuch` also finds `Adressbuch`.
 * - The compounds that two words of the query form in either order: `Trennung von Silben` also finds `Silbentrennung`. These do not
 *   raise the upper limit of the score. Queries of more than eight words get none.
 *
 * The embedded text does not change, and neither do queries in other languages.
 */
export function expandCompounds(
  query: ParsedQuery,
  facts: CollectionFacts,
  analyzers: readonly Analyzer[],
): ParsedQuery {
  return analyzers.reduce((expanded, analyzer) => {
    const links = LINKS[analyzer.language];
    return links ? expandInLanguage(expanded, createCompounds(facts, analyzer, links), facts) : expanded;
  }, query);
}

function expandInLanguage(
  query: ParsedQuery,
  { split, join }: ReturnType<typeof createCompounds>,
  { countOf }: CollectionFacts,
): ParsedQuery {
  const said = new Set(query.terms.flatMap(({ term, forms = [] }) => [term, ...forms]));
  const added: QueryTerm[] = [];
  const add = (term: string, more: Pick<QueryTerm, 'surface' | 'weight' | 'standsFor'>) => {
    if (!said.has(term)) added.push({ term, prefix: false, ...more });
    said.add(term);
  };
  const words = query.terms.filter(isPlainWord);
  const terms = query.terms.map((word) => {
    if (!isPlainWord(word)) return word;
    const { term, surface, forms = [] } = word;
    const parts = split(surface.toLowerCase(), Math.max(...[term, ...forms].map(countOf)));
    for (const part of parts) add(part, { surface, weight: PART_WEIGHT, standsFor: [term] });
    const linked = parts.length === 2 ? join([parts[0]!], parts[1]!).filter((form) => !said.has(form)) : [];
    return linked.length > 0 ? { ...word, forms: [...forms, ...linked] } : word;
  });
  const paired = words.length > MAX_NAME_QUERY_LENGTH ? [] : words;
  for (const head of paired) {
    for (const tail of paired) {
      if (head === tail) continue;
      const surface = `${head.surface} ${tail.surface}`;
      for (const term of join([fold(head.surface), head.term], tail.surface.toLowerCase()))
        add(term, { surface, standsFor: [head.term, tail.term] });
    }
  }
  return withTerms(query, [...terms, ...added]);
}

function isPlainWord({ surface, prefix, field, standsFor }: QueryTerm): boolean {
  const isShown = !prefix && field === undefined && !standsFor;
  return (
    isShown &&
    surface.length >= MIN_PART_LETTERS &&
    surface.length <= MAX_TERM_LENGTH &&
    /^\p{L}+$/u.test(surface)
  );
}

function createCompounds(
  { countOf, isStopWord }: CollectionFacts,
  { tokenize }: Analyzer,
  links: readonly string[],
) {
  const joints = ['', ...links];
  /** Returns the term of a word; empty if no passage has it. */
  const lookUp = memoize((word: string) => {
    let term = '';
    tokenize(word, (each) => {
      term = each;
    });
    return countOf(term) === 0 ? '' : term;
  });

  const partOf = (word: string) => (word.length < MIN_PART_LETTERS || isStopWord(word) ? '' : lookUp(word));

  function headOf(word: string): string {
    for (const link of joints) {
      const head = word.endsWith(link) ? partOf(word.slice(0, word.length - link.length)) : '';
      if (head !== '') return head;
    }
    return '';
  }

  const meanCount = (parts: readonly string[]) =>
    Math.exp(parts.reduce((sum, part) => sum + Math.log(countOf(part)), 0) / parts.length);

  /** Splits a word into `count` parts. Of several splits, returns the one with the most frequent parts; empty if there is none. */
  function splitInto(word: string, count: number): readonly string[] {
    if (count === 1) return [partOf(word)].filter(Boolean);
    let best: readonly string[] = [];
    for (let at = MIN_PART_LETTERS; at <= word.length - MIN_PART_LETTERS; at++) {
      const head = headOf(word.slice(0, at));
      const tails = head === '' ? [] : splitInto(word.slice(at), count - 1);
      if (tails.length === 0) continue;
      const parts = [head, ...tails];
      if (best.length === 0 || meanCount(parts) > meanCount(best)) best = parts;
    }
    return best;
  }

  return {
    /**
     * Returns the terms of the parts of a word; empty if the word is no compound, or as frequent as its parts.
     * @param count number of passages that hold the word
     */
    split(word: string, count: number): readonly string[] {
      // The fewest parts win: short pieces such as `tab` and `ell` are frequent by chance.
      for (let parts = 2; parts <= MAX_PARTS; parts++) {
        const found = splitInto(word, parts);
        if (found.length > 0) return meanCount(found) > count ? found : [];
      }
      return [];
    },
    /** Returns the terms of the collection that join one of `heads` and `tail`, with or without a linking element between them. */
    join: (heads: readonly string[], tail: string) => [
      ...new Set(heads.flatMap((head) => joints.map((link) => lookUp(head + link + tail))).filter(Boolean)),
    ],
  };
}
