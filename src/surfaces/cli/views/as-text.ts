/** Writes an answer as a terminal of 100 columns shows it, without colours, for clients of the server. */
import picocolors from 'picocolors';
import { oneLine } from '../../../core/text/one-line.ts';
import type { Operation } from '../../operations/operation.ts';
import { fitWidth } from '../fit-width.ts';
import { show } from './show.ts';

const WIDTH = 100;
const TERMINAL = {
  width: WIDTH,
  limits: { stdout: WIDTH, stderr: WIDTH },
  colors: picocolors.createColors(false),
  link: (text: string) => text,
  interactive: false,
};

/** Returns an answer as text. Documents are named by their ids: the client's working directory is unknown. */
export function asText({ name }: Operation, output: unknown): string {
  const lines: string[] = [];
  show[name as keyof typeof show](output as never, {
    terminal: TERMINAL,
    options: {},
    locate: (collection, path) => oneLine(`${collection}/${path}`),
    print: (line, indent) => void lines.push(fitWidth(line, WIDTH, indent)),
    write: (text) => void lines.push(text),
    advise: String,
    note: (line) => void lines.push(fitWidth(line, WIDTH)),
  });
  return `${lines.join('\n')}\n`;
}
