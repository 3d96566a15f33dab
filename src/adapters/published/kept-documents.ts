/** Reads what a search needs of documents, besides their words, and keeps it for later searches of the same publication. */
import type { NameWeight } from '../../core/fragments/term-postings.ts';
import { catalogDocument } from '../../core/indexes/catalog.ts';
import type { CatalogDocument } from '../../core/model/document.ts';
import { keepLatest } from '../../core/text/keep-latest.ts';
import type { EditionReader } from './engine.ts';
import type { DocumentPayload } from './format.ts';

export interface KeptDocument extends Pick<DocumentPayload, 'heads' | 'community' | 'lengths'> {
  readonly facts: CatalogDocument;
  /** The documents one link away, with the weights of the links. */
  readonly links: ReadonlyMap<number, number>;
  /** Its names that hold a word, by the dimension of the word. */
  readonly names: ReadonlyMap<number, readonly NameWeight[]>;
  /** Its size: passages, links, words of names, and pieces of its record. */
  readonly parts: number;
}

type Read = Pick<DocumentPayload, 'record' | 'heads' | 'linked' | 'community' | 'lengths' | 'names'>;

const KEYS = ['record', 'heads', 'linked', 'community', 'lengths', 'names'];
/** Max size of the kept documents, in parts of some 250 bytes: about 50 MB. One larger document is kept alone. */
const MAX_PARTS = 200_000;
/** Characters of a record that count as one part. */
const PIECE = 100;

export type KeptDocuments = ReturnType<typeof keepDocuments>;

export function keepDocuments(reader: EditionReader, maxParts = MAX_PARTS) {
  const kept = keepLatest<number, KeptDocument>(maxParts, ({ parts }) => parts);

  return {
    /**
     * Returns documents by number; unknown numbers are left out.
     * @param found slots that were found in the documents: a document that lacks one of them has changed, and is read again
     */
    async read(
      numbers: readonly number[],
      found: ReadonlyMap<number, readonly number[]> = new Map(),
    ): Promise<ReadonlyMap<number, KeptDocument>> {
      const answer = new Map<number, KeptDocument>();
      const missing = numbers.filter((number) => {
        const document = kept.get(number);
        if (!hasAll(document, found.get(number))) return true;
        answer.set(number, document);
        return false;
      });
      const read = await reader.read<Read>('document', missing, { keys: KEYS });
      for (const [number, { record, linked, names, ...document }] of read) {
        const words = byWord(names);
        const pieces = Math.ceil(JSON.stringify(record).length / PIECE);
        answer.set(number, {
          ...document,
          facts: loadedDocument({ record }),
          links: new Map(linked),
          names: words,
          parts: pieces + document.heads.length + linked.length + words.size,
        });
      }
      for (const [number, document] of answer) kept.set(number, document);
      return answer;
    },
  };
}

export function loadedDocument({ record }: Pick<DocumentPayload, 'record'>): CatalogDocument {
  return catalogDocument({ ...record, ...record.fields });
}

function byWord(names: DocumentPayload['names']): KeptDocument['names'] {
  const found = new Map<number, NameWeight[]>();
  for (const [name, terms, total, ...dimensions] of names) {
    const weight = { name, terms, total };
    for (const dimension of dimensions) found.set(dimension, [...(found.get(dimension) ?? []), weight]);
  }
  return found;
}

/** Returns whether a document is known, with all of `slots`. */
export const hasAll = (
  document: Pick<KeptDocument, 'heads'> | undefined,
  slots: readonly number[] = [],
): document is KeptDocument =>
  document !== undefined && slots.every((slot) => document.heads.some((head) => head.slot === slot));
