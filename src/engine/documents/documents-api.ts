/** Types of the public API for documents: reading, listing and relating them. */
import type { LinkKind } from '../../core/model/document.ts';
import type { Filters } from '../filters.ts';

/** The option to stop a call. */
export interface Stoppable {
  /** Stops the call; its promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Identifies a document and names it for display. */
export interface DocumentName {
  /** `<collection>/<path>`. */
  readonly documentId: string;
  readonly collection: string;
  /** Path relative to the collection's root, with `/` as separator. */
  readonly path: string;
  readonly title: string;
}

export interface DocumentFacts extends DocumentName {
  readonly tags: readonly string[];
  /** Date in the front matter if present, else the file time; ISO 8601, UTC. */
  readonly modified: string;
  readonly frontMatter: Readonly<Record<string, unknown>>;
  readonly chunks: number;
  /** Number of links to other documents. */
  readonly linksOut: number;
  /** Number of links from other documents to this document. */
  readonly linksIn: number;
}

/** Options of calls that name a document. */
export interface NamingOptions extends Stoppable {
  /**
   * Whether to read a relative path from `cwd`, and to say if a file exists that is not indexed. Set it to false for names that
   * strangers give. @default true
   */
  readonly paths?: boolean | undefined;
}

export interface ReadOptions extends NamingOptions {
  /** First line to read, a 1-based line of the file. @default the first line after the front matter */
  readonly startLine?: number;
  /** Last line to read, inclusive. @default the last line */
  readonly endLine?: number;
  /** Max UTF-16 units of text. The text is cut after a whole line, unless the first line is longer. @default no limit */
  readonly maxChars?: number;
}

/** Text of a document, or some of its lines, as last indexed. The front matter is not in `text` but in `frontMatter`. */
export interface DocumentText extends DocumentFacts {
  /** Absolute path; absent for a commit, and in a published index. */
  readonly file?: string;
  /** Lines separated by LF, without LF at the end. */
  readonly text: string;
  /** Line of the file with which `text` begins, 1-based. `endLine` is the last line of `text`, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  /** Last line of the document. */
  readonly lastLine: number;
  /** Whether `maxChars` cut the text. */
  readonly truncated: boolean;
  /** Line that opens the code block in which `text` begins; absent if `text` begins outside of code blocks. */
  readonly fence?: string;
}

export const LINK_DIRECTIONS = ['out', 'in', 'both'] as const;
export type LinkDirection = (typeof LINK_DIRECTIONS)[number];

export interface RelatedOptions extends NamingOptions {
  /** Max distance from the document, in links, 1–3. @default 1 */
  readonly depth?: number;
  /** `out` follows links of the document, `in` follows links to it. @default 'both' */
  readonly direction?: LinkDirection;
}

export interface LinkedDocument extends DocumentName {
  /** Distance from the given document, in links, 1–3. */
  readonly distance: number;
  /** The links between this document and its neighbours at a smaller `distance`. */
  readonly links: readonly {
    /** `in` if this document holds the link, `out` if the other document does. */
    readonly direction: 'out' | 'in';
    readonly kind: LinkKind;
    /** Id of the document that holds the link. `line` is the link's line in that document. */
    readonly source: string;
    readonly line: number;
  }[];
}

export interface SimilarPassage extends DocumentName {
  /** Cosine similarity of the passage to the given document. */
  readonly similarity: number;
  readonly startLine: number;
  readonly endLine: number;
  /** The title, then the headings from the outermost down. */
  readonly headingPath: readonly string[];
}

export interface RelatedDocuments {
  readonly document: DocumentFacts;
  /** At most 100 documents, sorted by distance, then by number of links, the highest first. */
  readonly linked: readonly LinkedDocument[];
  /** Number of all linked documents within `depth`. */
  readonly linkedCount: number;
  /** The document's community: documents that link to each other more than to others. Absent if the document is in none. */
  readonly community?: {
    readonly documents: number;
    /** At most 10 other members, those with the most linked documents first. */
    readonly members: readonly DocumentName[];
  };
  /** At most 5 documents with a passage of similar meaning, best first, each with that passage. */
  readonly similar: readonly SimilarPassage[];
  /** Why similar documents could not be searched. */
  readonly notice?: string;
}

export const LIST_ORDERS = ['path', 'title', 'date'] as const;
export type ListOrder = (typeof LIST_ORDERS)[number];

export interface ListOptions extends Stoppable {
  /** Which documents to list. @default all */
  readonly filters?: Filters;
  /** `path` sorts by id, `title` by title, `date` by date with the newest first. @default 'path' */
  readonly sort?: ListOrder;
  /** Max documents on a page, 1–1,000,000. @default 50 */
  readonly limit?: number;
  /** `nextCursor` of the page before; `sort` must be the same. @default the first page */
  readonly cursor?: string;
}

export interface DocumentList {
  /** Sorted by `sort`. */
  readonly documents: readonly DocumentFacts[];
  /** Number of documents that pass the filters. */
  readonly total: number;
  /** Absent on the last page. */
  readonly nextCursor?: string;
  /** Why no document was found, with suggestions for mistyped filters. */
  readonly notice?: string;
}

export interface TagOptions extends Stoppable {
  /** Which documents to take tags from. @default all */
  readonly filters?: Filters;
}

export interface GraphOptions extends Stoppable {
  /** Which documents to show. @default all */
  readonly filters?: Filters;
  /** Max documents, 1–5000; those with the most linked documents are kept. @default 500 */
  readonly limit?: number;
}

/** Documents and the links between them. */
export interface DocumentGraph {
  /** `neighbours`: number of linked documents in both directions. `community`: rank of its community by size, 0 for the largest. */
  readonly nodes: readonly (DocumentName & { readonly neighbours: number; readonly community?: number })[];
  /** Every linked pair once, as two ids, with the weight of its strongest link, 0–1. */
  readonly edges: readonly { readonly source: string; readonly target: string; readonly weight: number }[];
  /** Number of documents that pass the filters, including those beyond `limit`. */
  readonly total: number;
}

export interface MapOptions extends Stoppable {
  /** Which documents to show. @default all */
  readonly filters?: Filters;
  /** Max documents, 1–100,000; those with the most linked documents are kept. @default 20000 */
  readonly limit?: number;
  /**
   * Whether to wait until places are computed, which takes seconds for ten thousand documents. Otherwise the answer may have rough
   * places, while better ones are computed.
   * @default true
   */
  readonly wait?: boolean;
}

/** Linked documents with their places on a map. Documents and links are in columns, because there may be many. */
export interface DocumentMap {
  /** The document with the most linked documents first. Each list has one entry per document. */
  readonly documents: {
    readonly ids: readonly string[];
    readonly titles: readonly string[];
    /** For each document, the number of linked documents, in both directions, including those that are not shown. */
    readonly neighbours: readonly number[];
    /** Positions in `communities`; −1 for a document without a community. */
    readonly communities: readonly number[];
    readonly x: readonly number[];
    readonly y: readonly number[];
  };
  /** Every linked pair once, as two positions in `documents`. */
  readonly links: { readonly sources: readonly number[]; readonly targets: readonly number[] };
  /** All communities of the index, the largest first. Id and title are of the member with the most linked documents. */
  readonly communities: readonly (Pick<DocumentName, 'documentId' | 'title'> & {
    /** Number of documents in the community, including those that are not shown. */
    readonly documents: number;
  })[];
  /** Number of linked documents that pass the filters, including those beyond `limit`. */
  readonly total: number;
  /** Number of documents that pass the filters but are linked with no document; they are not on the map. */
  readonly unlinked: number;
  /** Whether places were computed from the current links. Otherwise better places are being computed. */
  readonly isFinal: boolean;
}

export interface TagCount {
  readonly tag: string;
  readonly documents: number;
}

export interface CollectionFacts {
  readonly name: string;
  /** Absolute path of the folder or file; in a published index, the address of that index. */
  readonly root: string;
  readonly documents: number;
}

export interface AuditOptions extends Stoppable {
  /** Documents to look at. @default all */
  readonly filters?: Filters;
  /** Max entries of each list, 1–10000. @default 20 */
  readonly limit?: number;
}

/** A link to a document that does not exist. */
export interface BrokenLink extends DocumentName {
  readonly line: number;
  /** The target as the document writes it. */
  readonly target: string;
}

/** A document and its copies: documents in which at least 80 % of the passages are the same, word for word. */
export interface CopiedDocument extends DocumentName {
  /** Number of all copies; `copies` has the first of them. */
  readonly copyCount: number;
  /** `share` is the number of equal passages divided by the number of passages of the longer document, 0.8–1. */
  readonly copies: readonly (DocumentName & { readonly share: number })[];
}

export interface DocumentSizes {
  /** The documents with the most passages. `bytes` is the size of the file. */
  readonly largest: readonly (DocumentName & { readonly chunks: number; readonly bytes: number })[];
  /** Each entry counts the documents with more than `upTo / 2` and at most `upTo` passages. `upTo` is a power of two. */
  readonly spread: readonly { readonly upTo: number; readonly documents: number }[];
}

/** Possible faults of the documents. Each `count` includes entries that are not shown. */
export interface DocumentAudit {
  readonly brokenLinks: { readonly count: number; readonly shown: readonly BrokenLink[] };
  /** `count` is the number of groups of copies, `documents` the number of copies in all groups. */
  readonly duplicates: {
    readonly count: number;
    readonly documents: number;
    readonly shown: readonly CopiedDocument[];
  };
  readonly sizes: DocumentSizes;
}
