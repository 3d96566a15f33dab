/** Results computed from the links and saved in the index: communities, and places on the map. */

/** Communities of linked documents, and the hash of the links they were computed from. */
export interface SavedCommunities {
  /** Hash of all links between documents. */
  readonly edges: string;
  /** Members of each community as document ids, because a document gets a new number if it is read again. */
  readonly members: readonly (readonly string[])[];
}

/** Places of linked documents on the map, and the hash of the links they were computed from. */
export interface SavedLayout {
  /** Hash of all links between documents, as in `SavedCommunities`. */
  readonly edges: string;
  readonly ids: readonly string[];
  /** Two numbers per document, x and y, in the order of `ids`. */
  readonly places: readonly number[];
}
