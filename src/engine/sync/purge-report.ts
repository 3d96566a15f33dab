/** What `sync({ purge: true })` did. */
export interface PurgeReport {
  /** Whose words were read again. */
  readonly documents: number;
  /** Vectors of passages that are in no document any more, which are gone now. */
  readonly vectors: number;
  /** Size of the database. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** False while others read the index: what was removed then stays in its log until the next run that finds it unused. */
  readonly complete: boolean;
}
