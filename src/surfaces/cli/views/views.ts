/** Types that views share, and facts that only commands need: options such as `--jsonl`, and which answers give exit code 1. */
import { createOption, InvalidArgumentError, type Option } from 'commander';
import type { AnswerOf } from '../../operations/operation.ts';
import type { AnyOperation, Named } from '../../operations/operations.ts';
import { toNumber } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { POLL } from '../watch.ts';

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

/** Printed in place of an answer about no document. */
export const NO_DOCUMENT = 'No document passes the filters, or the index holds none.';

export type Answer<Name extends AnyOperation['name']> = AnswerOf<Named<Name>>;

interface ViewOptions<Shown> {
  /** Options for the form of the answer; all conflict with `--json`. */
  readonly forms?: readonly Option[];
  /** Other options of the command; none of them is a field of the operation. */
  readonly options?: readonly Option[];
  /** Whether the answer is a failure, for which the exit code is 1. */
  failed?(answer: Shown, options: Readonly<Record<string, unknown>>): boolean;
}

/** Reads the number after `--open`. If the query follows `--open`, the error says to type the query first. */
function toHit(value: string): number {
  if (Number.isNaN(Number(value))) {
    throw new InvalidArgumentError('It is not a number. Put --open after the query.');
  }
  return Number(value);
}

function noHit(
  { hits }: { readonly hits: readonly unknown[] },
  options: Readonly<Record<string, unknown>>,
): boolean {
  return options.exitStatus === true && hits.length === 0;
}

const ENTRIES: { readonly [Name in AnyOperation['name']]?: ViewOptions<Answer<Name>> } = {
  search: {
    forms: [
      createOption('--files', 'print only the paths of the documents, best first').conflicts('explain'),
      createOption(
        '--context',
        'print whole passages with numbered citations path:start-end, ready to paste into a prompt',
      ).conflicts(['files', 'explain']),
      createOption('--jsonl', 'print JSON, one hit a line').conflicts(['files', 'context']),
    ],
    options: [
      createOption('--exit-status', 'exit with code 1 if there is no hit, as grep does'),
      createOption(
        '--open [number]',
        'open the first hit, or the hit with this number, in $VISUAL or $EDITOR',
      ).argParser(toHit),
      createOption('--limit <number>', 'like --top-n').argParser(toNumber).conflicts('topN').hideHelp(),
    ],
    failed: noHit,
  },
  search_with_hypothesis: { failed: noHit },
  search_everywhere: { failed: noHit },
  index: {
    options: [
      createOption('--watch', 'keep running and follow changes of the files').conflicts(['dryRun', 'embed']),
      createOption('--poll', `${POLL}; implies --watch`).implies({ watch: true }),
    ],
    // With --watch, the missing vectors are made later, when the embedding service answers.
    failed: ({ embedding_error }, { watch }) => embedding_error !== undefined && !watch,
  },
  add_site: { failed: ({ sites }) => sites.some(({ complete, pages }) => !complete || pages === 0) },
  doctor: { failed: ({ healthy }) => !healthy },
  mcp_install: { failed: ({ outcome }) => outcome === 'refused' },
};

/** The view options of an operation. `failed` is not typed: pass it the answer of the same operation. */
export function viewOptions(name: AnyOperation['name']): ViewOptions<unknown> {
  return (ENTRIES[name] ?? {}) as ViewOptions<unknown>;
}
