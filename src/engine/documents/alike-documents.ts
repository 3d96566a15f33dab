/** Groups documents that have the same passages, by the hashes of the passages. No text is read. */

/** A document with the hashes of its passages. */
export interface HashedDocument<Document> {
  readonly document: Document;
  readonly hashes: ReadonlySet<number>;
}

/** A document (`first`) and its near copies: later documents with a `share` of equal passages of at least `MIN_SHARE`. */
export interface AlikeDocuments<Document> {
  readonly first: Document;
  readonly others: readonly { readonly document: Document; readonly share: number }[];
}

/** Min share of equal passages: the number of passages in both documents, divided by the number in the longer document. */
const MIN_SHARE = 0.8;

/**
 * Compares each document with the first document of each earlier group. Only documents that share a rare passage are compared
 * (prefix filtering: Chaudhuri, Ganti and Kaushik 2006): if two documents share at least t of n passages, they share one of the
 * n − t + 1 rarest passages.
 * @param documents in the order in which groups are formed
 */
export function groupAlike<Document>(
  documents: readonly HashedDocument<Document>[],
): readonly AlikeDocuments<Document>[] {
  const holders = countHolders(documents);
  const firsts = new Map<number, number[]>();
  const groups = new Map<number, { readonly document: Document; readonly share: number }[]>();
  for (const [place, { document, hashes }] of documents.entries()) {
    const rare = rarest(hashes, holders);
    const candidates = new Set(rare.flatMap((hash) => firsts.get(hash) ?? []));
    const [best] = [...candidates]
      .map((first) => ({ first, share: shareOf(documents[first]!.hashes, hashes) }))
      .filter(({ share }) => share >= MIN_SHARE)
      .sort((a, b) => b.share - a.share || a.first - b.first);
    if (best) {
      addTo(groups, best.first, { document, share: best.share });
      continue;
    }
    for (const hash of rare) addTo(firsts, hash, place);
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([first, others]) => ({ first: documents[first]!.document, others }));
}

/** Counts the documents that have each passage. */
function countHolders(documents: readonly HashedDocument<unknown>[]): ReadonlyMap<number, number> {
  const holders = new Map<number, number>();
  for (const { hashes } of documents)
    for (const hash of hashes) holders.set(hash, (holders.get(hash) ?? 0) + 1);
  return holders;
}

function addTo<T>(lists: Map<number, T[]>, key: number, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function rarest(hashes: ReadonlySet<number>, holders: ReadonlyMap<number, number>): readonly number[] {
  const count = hashes.size - Math.ceil(hashes.size * MIN_SHARE) + 1;
  return [...hashes].sort((a, b) => holders.get(a)! - holders.get(b)! || a - b).slice(0, count);
}

function shareOf(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  return a.intersection(b).size / Math.max(a.size, b.size);
}
