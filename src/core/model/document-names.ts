/** What a document is called, for lookups by name: title, aliases, file name without extension; each once. */
export function documentNames(document: {
  readonly title: string;
  readonly aliases?: readonly string[];
  /** Relative to the root of its collection, with `/`. */
  readonly path: string;
}): readonly string[] {
  const { title, aliases = [], path } = document;
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
  return [...new Set([title, ...aliases, file])];
}
