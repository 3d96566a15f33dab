/** What tokenizing yields, and what its rules may decide. */

/**
 * What a term is to its neighbours: a `word` carries its position; a `compound` stands over parts that are all
 * visited too; a `character` is inside a longer run of an unspaced script, whose pairs are visited as words.
 */
export type TokenRole = 'word' | 'compound' | 'character';

/** `start` and `end` are UTF-16 offsets into the text as given. */
export type VisitRoleToken = (
  term: string,
  position: number,
  start: number,
  end: number,
  role: TokenRole,
) => void;

/** Visits every index term in order of position and returns the number of positions. */
export type Tokenizer = (text: string, visit: VisitRoleToken) => number;

export interface TokenizerRules {
  /** Width of what joins the words before and after `index` into a compound; 0 when nothing does. */
  readonly joinerWidth: (text: string, index: number) => number;
  /** Whether the joiner at `index` binds closer than others: `string_view` is a name within `std::string_view`. */
  readonly isTight: (text: string, index: number) => boolean;
  /** Where the compound that begins with the word at `start` really begins (`.NET` at its dot). */
  readonly wholeStart: (text: string, start: number) => number;
  /** The true end of the compound whose last word ends at `end`. */
  readonly wholeEnd: (text: string, end: number) => number;
  /** Whether `var1` has the parts `var` and `1`. */
  readonly splitDigits: boolean;
  /** Turns a word, folded and as written, into its term. */
  readonly toTerm: (folded: string, written: string) => string;
  /** Width of a prefix that is not part of the word, such as `l'` in `l'eau`; it is skipped. */
  readonly elisionWidth?: (text: string, start: number) => number;
}
