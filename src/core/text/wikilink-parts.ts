/** Splits a wikilink into target and label. Dendron writes `[[label|target]]`, other programs write `[[target|label]]`. */

/** Dendron's address of a note in another vault. */
const VAULT = /^\s*dendron:\/\/[^/]*\//;
/** Dendron's name of a note, with two dots or more: a label with one dot may be the name of a file. */
const NOTE = /^\s*[a-z][\w-]*\.[a-z][\w-]*\.[\w-]\S*\s*$/;

/** @param second what is behind the bar, if there is one */
export function wikilinkParts(first: string, second?: string): readonly [target: string, label?: string] {
  const isReversed = second !== undefined && (VAULT.test(second) || (NOTE.test(second) && !NOTE.test(first)));
  const [target, ...label] = isReversed ? [second, first] : second === undefined ? [first] : [first, second];
  return [target.replace(VAULT, ''), ...label];
}
