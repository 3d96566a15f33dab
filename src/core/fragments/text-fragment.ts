/** A fragment with the texts of consecutive passages, and the facts about their documents. */
import type { Chunk } from '../model/chunk.ts';
import type { CatalogDocument } from '../model/document.ts';

export type ShownPassage = Pick<
  Chunk,
  'headingPath' | 'text' | 'overlap' | 'start' | 'end' | 'startLine' | 'endLine' | 'codeBlocks'
> & {
  /** Number of the document in the export. */
  readonly document: number;
};

export type ShownDocument = Pick<
  CatalogDocument,
  'number' | 'collection' | 'path' | 'title' | 'aliases' | 'tags' | 'category' | 'author' | 'modified'
> &
  LinkCounts & {
    readonly chunks: number;
  };

export interface LinkCounts {
  /** Numbers of links to other documents, and from other documents. */
  readonly linksOut: number;
  readonly linksIn: number;
}

export interface TextFragment {
  readonly documents: readonly ShownDocument[];
  readonly passages: readonly ShownPassage[];
}

export function encodeTexts(fragment: TextFragment): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(fragment));
}

export function decodeTexts(bytes: Uint8Array): TextFragment {
  return JSON.parse(new TextDecoder().decode(bytes)) as TextFragment;
}

export function toCatalogDocument(document: ShownDocument): CatalogDocument {
  const { collection, path, author, category } = document;
  const frontMatter = {
    ...(author !== undefined && { author }),
    ...(category !== undefined && { category }),
  };
  return { ...document, id: `${collection}/${path}`, frontMatter };
}
