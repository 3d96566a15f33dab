/** Types of tokens, tokenizers and their rules. */

/**
 * Role of a term. A `word` is the usual term of its position. A `compound` spans parts that are all visited as words. A
 * `character` is part of a longer run of an unspaced script; the pairs of the run are visited as words.
 */
export type TokenRole = 'word' | 'compound' | 'character';

/** Called for each term. `start` and `end` are UTF-16 offsets into the text. */
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
  /** Width of the joiner at `index`, which makes a compound of the words before and after it; 0 if there is no joiner. */
  readonly joinerWidth: (text: string, index: number) => number;
  /** Whether the joiner at `index` is tight: `_` keeps `string_view` together within `std::string_view`. */
  readonly isTight: (text: string, index: number) => boolean;
  /** Start of the compound whose first word begins at `start`: for `.NET`, the dot. */
  readonly wholeStart: (text: string, start: number) => number;
  /** End of the compound whose last word ends at `end`: for `name_`, after the underscore. */
  readonly wholeEnd: (text: string, end: number) => number;
  /** Whether `var1` has the parts `var` and `1`. */
  readonly splitDigits: boolean;
  /** Returns the term of a word. `written` is the word in the text; `folded` is this word after `fold`, without apostrophes. */
  readonly toTerm: (folded: string, written: string) => string;
  /** Width of the elision before a word, such as `l'` in `l'eau`, or of the `v` of a version; it is skipped. */
  readonly elisionWidth: (text: string, start: number) => number;
}
