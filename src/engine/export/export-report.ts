/** The report of `export`: the folder, and how much was written. */

export interface ExportReport {
  /** Absolute. */
  readonly folder: string;
  readonly documents: number;
  readonly passages: number;
  readonly files: number;
  /** Size of all files together. */
  readonly bytes: number;
}
