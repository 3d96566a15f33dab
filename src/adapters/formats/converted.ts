/** The result of a converter (Markdown, metadata and pages), and its form as a file. */

export interface Converted {
  readonly markdown: string;
  /** Fields of the file's own metadata, for the front matter. Missing and empty fields are left out. */
  readonly fields?: Readonly<Partial<Record<'title' | 'author' | 'date', string | null | undefined>>>;
  /** 0-based line of `markdown` at which each page begins, in the order of the pages. */
  readonly pages?: readonly number[];
}

/**
 * @param extension of the file name, in lower case and without the dot
 * @throws Error with one sentence for the user if the file cannot be converted
 */
export type Convert = (bytes: Uint8Array, extension: string) => Converted | Promise<Converted>;

/**
 * Returns Markdown with front matter. `page_lines` has, for each page, the 1-based line of the result at which the page begins.
 * If a file has pages but no title, the file name becomes the title: the first heading is only one of many.
 */
export function toMarkdownFile({ markdown, fields = {}, pages }: Converted, path: string): string {
  const title = fields.title || (pages && /[^/]*(?=\.\w+$)/.exec(path)?.[0]);
  const named = Object.entries({ title, ...fields, ...(title && { title }) }).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  if (named.length === 0 && !pages) return markdown;
  const above = named.length + (pages ? 1 : 0) + 2;
  // JSON is valid YAML.
  const lines = named.map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  if (pages) lines.push(`page_lines: ${JSON.stringify(pages.map((line) => line + above + 1))}`);
  return `---\n${lines.join('\n')}\n---\n${markdown}`;
}

/** Decodes a text file. Tries in this order: its byte order mark, the encoding that the file names, UTF-8, Windows-1252. */
export function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const head = Buffer.from(bytes.subarray(0, 2_048)).toString('latin1');
  const named = /(?:<meta[^>]{0,200}charset=|<\?xml[^>]{0,100}encoding=)["']?([\w-]+)/i.exec(head)?.[1];
  for (const label of named ? [named, 'utf-8'] : ['utf-8']) {
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes);
    } catch {} // the encoding is unknown, or the bytes are not valid in it
  }
  return new TextDecoder('windows-1252').decode(bytes);
}
