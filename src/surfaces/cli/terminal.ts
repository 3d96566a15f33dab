/** Finds the width of the terminal and whether it supports colours and links. Formats numbers. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import picocolors from 'picocolors';
import { count, plural } from '../../core/text/format-numbers.ts';

const require = createRequire(import.meta.url);

export interface Terminal {
  /** Columns for layout: `COLUMNS`, else the width of the terminal, else `DEFAULT_WIDTH`. */
  readonly width: number;
  /** Max columns of a line. Infinite if the stream is not a terminal, because programs read whole lines. */
  readonly limits: { readonly stdout: number; readonly stderr: number };
  readonly colors: ReturnType<typeof picocolors.createColors>;
  /** Makes text a link to a file (OSC 8). Returns the text unchanged without a file or if the terminal does not support links. */
  readonly link: (text: string, file: string | undefined) => string;
  /** Whether progress bars may be drawn on stderr. */
  readonly interactive: boolean;
}

export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;
export type ColorChoice = (typeof COLOR_CHOICES)[number];

const DEFAULT_WIDTH = 100;
const MIN_WIDTH = 20;

/**
 * Reads the terminal. `COLUMNS` overrides the width of the window. `--no-color`, `NO_COLOR` and a pipe switch colours off,
 * `--color always` switches them on.
 * @param color value of `--color`. @default 'auto'
 */
export function readTerminal(color: ColorChoice | false = 'auto'): Terminal {
  const asked = Number(process.env.COLUMNS);
  const width = Math.max(MIN_WIDTH, asked > 0 ? asked : process.stdout.columns || DEFAULT_WIDTH);
  const { NO_COLOR, TERM, FORCE_COLOR } = process.env;
  const allowed = color === 'auto' && !NO_COLOR && TERM !== 'dumb';
  const forced = FORCE_COLOR !== undefined && FORCE_COLOR !== '0';
  const colored = color === 'always' || (allowed && (forced || process.stdout.isTTY === true));
  return {
    width,
    limits: {
      stdout: process.stdout.isTTY ? width : Number.POSITIVE_INFINITY,
      stderr: process.stderr.isTTY ? width : Number.POSITIVE_INFINITY,
    },
    colors: picocolors.createColors(colored),
    link: color === 'always' || (color === 'auto' && hasLinks()) ? link : (text) => text,
    interactive: process.stderr.isTTY === true && TERM !== 'dumb',
  };
}

/** Whether the terminal supports links. Loads `supports-hyperlinks` only on a terminal, so that a pipe gets output sooner. */
function hasLinks(): boolean {
  if (!process.stdout.isTTY) return false;
  const { createSupportsHyperlinks } = require('supports-hyperlinks') as typeof import('supports-hyperlinks');
  return createSupportsHyperlinks(process.stdout);
}

/** @see https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda */
function link(text: string, file: string | undefined): string {
  return file === undefined ? text : `\u001b]8;;${pathToFileURL(file)}\u0007${text}\u001b]8;;\u0007`;
}

/** A copy without colours, for text that is coloured as a whole. */
export function withoutColors(terminal: Terminal): Terminal {
  return { ...terminal, colors: picocolors.createColors(false) };
}

/** `2 hits`, or `2 hits, 1 unsure`. */
export function countHits(hits: number, unsure: number): string {
  return unsure === 0 ? plural(hits, 'hit') : `${plural(hits, 'hit')}, ${count(unsure)} unsure`;
}

/** `299.4` seconds → `5 min 0 s`, rounded up. */
export function formatTime(seconds: number): string {
  const whole = Math.ceil(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes === 0) return `${whole} s`;
  return minutes < 60
    ? `${minutes} min ${whole % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
