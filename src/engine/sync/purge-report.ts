/** What `sync({ purge: true })` did. */
export interface PurgeReport {
  /** Number of documents whose words were read again. */
  readonly documents: number;
  /** Number of removed vectors, whose passages are in no document any more. */
  readonly vectors: number;
  /** Size of the database. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** False while others read the index: what was removed then stays in its log until the next run that finds it unused. */
  readonly complete: boolean;
}
