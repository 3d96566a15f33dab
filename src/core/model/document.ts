/** Types of a parsed Markdown file, before it is split into chunks. */

export type LinkKind = 'wikilink' | 'transclusion' | 'relative' | 'related';

/** A link as written; resolved to a document later, when the whole collection is known. */
export interface Link {
  readonly kind: LinkKind;
  /** The target, without anchor and label: as written, or from the link definition that the link names. */
  readonly target: string;
  /** `Heading` or `^block`, if the link has one. */
  readonly anchor?: string;
  readonly label?: string;
  /** 1-based line in the file. */
  readonly line: number;
}

export interface CodeBlock {
  /** First word of the info string, in lower case; empty if there is none. */
  readonly language: string;
  readonly text: string;
  /** 1-based, inclusive lines in the file, fences included. */
  readonly startLine: number;
  readonly endLine: number;
}

/** Consecutive lines that the chunker keeps together if possible: a paragraph, a fence, a table, a list item. */
export interface Block {
  readonly kind: 'heading' | 'paragraph' | 'code' | 'table' | 'list' | 'quote' | 'html' | 'rule';
  /** Character offsets into `ParsedDocument.text`: start inclusive, end exclusive. */
  readonly start: number;
  readonly end: number;
}

/** A context prefix: a sentence or header row. It introduces a list, the rest of a list item, or the rows of a table. */
export interface ContextPrefix {
  /** Offsets of the introduced text: start inclusive, end exclusive. */
  readonly from: number;
  readonly to: number;
  /** Offsets of the prefix itself. */
  readonly start: number;
  readonly end: number;
}

/** A heading and the lines up to the next heading of any level. The text before the first heading has level 0. */
export interface Section {
  /** Headings from the outermost down to this one. The document title is included only if it is one of these headings. */
  readonly headings: readonly string[];
  readonly level: number;
  readonly start: number;
  readonly end: number;
}

export type FrontMatter = Readonly<Record<string, unknown>>;

/**
 * Maximum searched length of a document field such as its title or tags, in UTF-16 units. Every chunk is indexed with
 * these fields: without a limit, the index would grow with the square of a document's length.
 */
export const MAX_FIELD_LENGTH = 2_000;

/** Fields of a document that are searched with each of its chunks. */
export interface DocumentFields {
  readonly title: string;
  readonly description?: string;
  readonly keywords: readonly string[];
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  readonly author?: string;
  readonly category?: string;
  /** ISO 8601 date or time from the front matter. */
  readonly date?: string;
}

export interface ParsedDocument extends DocumentFields {
  /** Path inside the collection, with `/`, exactly as on disk. */
  readonly path: string;
  /**
   * The visible text of the body: no front matter and no markup that a rendered page hides. Line ends are LF; line
   * numbers match the file. All offsets are UTF-16 units into this text.
   */
  readonly text: string;
  /** 1-based line of the file where `text` begins. */
  readonly firstLine: number;
  readonly frontMatter: FrontMatter;
  /** Sections in order; together they cover `text` without gaps or overlaps. */
  readonly sections: readonly Section[];
  /** Blocks in order, never overlapping; the gaps between them are blank lines. */
  readonly blocks: readonly Block[];
  /** Ordered by the start of the text that each prefix introduces, outer before inner. These texts are nested or disjoint. */
  readonly contextPrefixes: readonly ContextPrefix[];
  readonly links: readonly Link[];
  readonly codeBlocks: readonly CodeBlock[];
  /** Sentences for the user: malformed front matter, fields of the wrong type. */
  readonly warnings: readonly string[];
}

/** Facts about a document that filters and answers need without reading the store. */
export interface CatalogDocument {
  readonly number: number;
  /** `<collection>/<path>`. */
  readonly id: string;
  readonly collection: string;
  readonly path: string;
  readonly title: string;
  /** Other names that links may use. */
  readonly aliases?: readonly string[];
  readonly tags: readonly string[];
  readonly category?: string;
  readonly author?: string;
  /** Front matter date if present, else file time; milliseconds since 1970. */
  readonly modified: number;
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** 1-based first line of each page, for a file that has pages. */
  readonly pages?: readonly number[];
}

/** Returns the names of a document: title, aliases, and file name without extension; each name once. */
export function documentNames({
  title,
  aliases = [],
  path,
}: Pick<CatalogDocument, 'title' | 'aliases' | 'path'>): readonly string[] {
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
  return [...new Set([title, ...aliases, file])];
}

/** A set of files and folders of a tree, including everything inside the folders. */
export interface PathScope {
  /** Whether a path, with `/`, is in the set or in a folder of the set. */
  covers(path: string): boolean;
  /** Whether the folder contains a member of the set. */
  leadsInto(folder: string): boolean;
}
