/** Options of `export`, and its report: the folder, and how much was written. */
import type { CutProgress } from '../../core/fragments/facts.ts';
import type { Stoppable } from '../documents/documents-api.ts';

export type ExportProgress = CutProgress;

export interface ExportOptions extends Stoppable {
  /** Whether the page can also search by meaning: adds vectors and model. Refused if passages lack vectors. @default false */
  readonly vectors?: boolean;
  /** Called with the progress: first of the map, then of words and texts as they are written. */
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
}

export interface ExportReport {
  /** Absolute. */
  readonly folder: string;
  readonly documents: number;
  readonly passages: number;
  /** Number of documents on the map. */
  readonly mapped: number;
  readonly files: number;
  /** Size of all files together. */
  readonly bytes: number;
  /** Size of the files that a browser loads to search by meaning. Present in an export with vectors. */
  readonly meaningBytes?: number;
}
