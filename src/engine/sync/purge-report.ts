/** Result of `sync({ purge: true })`. */
export interface PurgeReport {
  /** Number of documents that were analysed again. */
  readonly documents: number;
  /** Number of removed vectors; their passages are no longer in any document. */
  readonly vectors: number;
  /** Size of the database in bytes. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** False if another process was reading the index: removed text then stays in the log until a later run can empty it. */
  readonly complete: boolean;
}
