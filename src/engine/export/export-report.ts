/** What an export wrote. */

export interface ExportReport {
  /** Absolute. */
  readonly folder: string;
  readonly documents: number;
  readonly passages: number;
  readonly files: number;
  /** Size of all files together. */
  readonly bytes: number;
}
