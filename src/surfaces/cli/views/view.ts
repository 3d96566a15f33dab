/** Types that views share: the answer of an operation, and the functions that print it. */
import type { AnswerOf } from '../../operations/operation.ts';
import type { AnyOperation } from '../../operations/operations.ts';
import type { Terminal } from '../terminal.ts';

export interface ViewContext {
  readonly terminal: Terminal;
  /** Options of the view itself, as commander read them. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Returns the path of a document relative to the working directory. @param file its absolute path, if known */
  readonly locate: (collection: string, path: string, file?: string) => string;
  /**
   * Prints a line of the answer on stdout, wrapped to the width of a terminal.
   * @param indent of continued lines. @default two more than the line's own
   */
  readonly print: (line: string, indent?: number) => void;
  /** Prints on stdout without changes: text to copy, or for a program. */
  readonly write: (text: string) => void;
  /** Adds the typed folders to a text that advises the user to run `docfuse index`. */
  readonly advise: (text: string) => string;
  /** Prints a line about the answer on stderr; silent under `--quiet`. */
  readonly note: (line: string) => void;
}

/** The answer of the operation with this name. */
export type Answer<Name extends AnyOperation['name']> = AnswerOf<
  Extract<AnyOperation, { readonly name: Name }>
>;
