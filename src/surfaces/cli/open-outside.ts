/** Opens things in other programs: a file at a line in the user's editor, an address in the user's browser. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DocfuseError } from '../../core/errors.ts';
import { formatOf } from '../../core/model/formats.ts';
import { countHits } from './terminal.ts';
import type { Answer } from './views/views.ts';

/** Arguments with which editors open a file at a line. Editors not listed get only the file. */
const SYNTAX: readonly (readonly [RegExp, (file: string, line: number) => readonly string[]])[] = [
  [/^(code|code-insiders|codium|vscodium|cursor|windsurf)$/, (file, line) => ['--goto', `${file}:${line}`]],
  [/^(subl|zed|zeditor|hx|helix|mate)$/, (file, line) => [`${file}:${line}`]],
  [
    /^(idea|webstorm|pycharm|clion|goland|rider|phpstorm|rubymine)(64)?$/,
    (file, line) => ['--line', String(line), file],
  ],
  [
    /^(vi|vim|nvim|gvim|mvim|view|nano|pico|emacs|emacsclient|kak|micro|joe|ne|gedit|kate|mg|jed|neovide)$/,
    (file, line) => [`+${line}`, file],
  ],
];

export type Found = Pick<Answer<'search'>, 'hits' | 'unsure'>;

/**
 * Opens a hit in the editor, at its line. Files that editors cannot show, such as PDFs, are opened by `openBrowser`, at the page.
 * @param number number of the hit, from 1; unsure hits, if shown, are numbered after the others
 * @throws DocfuseError `usage` if no hit has this number or the hit is no file; errors of `openEditor` and `openShown`
 */
export async function openHit({ hits, unsure }: Found, number: number): Promise<void> {
  const all = [...hits, ...unsure];
  const range = all.length === 1 ? 'The only number is 1' : `Choose a number from 1 to ${all.length}`;
  const hit = all[number - 1];
  if (!hit)
    throw new DocfuseError(
      'usage',
      `There is no hit ${number} to open.`,
      all.length > 0
        ? `${range}: the search shows ${countHits(hits.length, unsure.length)}.`
        : 'The search shows no hits. Leave out --open.',
    );
  if (hit.file === undefined)
    throw new DocfuseError(
      'usage',
      `${hit.document_id} is a commit or lies in an archive, so there is no file to open.`,
      `docfuse read ${hit.document_id} prints it.`,
    );
  if (formatOf(hit.file)?.converter === 'office') await openShown(hit.file, hit.page);
  else await openEditor(hit.file, hit.line);
}

/** @throws DocfuseError `not_found` if no program can be started */
async function openShown(file: string, page: number | undefined): Promise<void> {
  const address = `${pathToFileURL(file)}${page === undefined ? '' : `#page=${page}`}`;
  const failure = await openBrowser(address);
  if (failure) throw new DocfuseError('not_found', failure, `Open ${address} yourself, or set BROWSER.`);
}

/**
 * Opens a file in the editor and waits until the editor ends.
 * The variable `VISUAL`, or else `EDITOR`, contains the command of the editor, with arguments if needed.
 * @throws DocfuseError `not_found` if no editor is named or it cannot be started; `storage` if the editor fails
 */
async function openEditor(file: string, line: number): Promise<void> {
  const { env } = process;
  const variable = env.VISUAL?.trim() ? 'VISUAL' : 'EDITOR';
  const named = env[variable]?.trim();
  if (!named) {
    throw new DocfuseError(
      'not_found',
      'Neither VISUAL nor EDITOR names an editor.',
      'Set one of them, such as EDITOR=vim.',
    );
  }
  // No shell: a file name must never become a command.
  const [command = '', ...args] = splitCommand(named);
  const name = basename(command)
    .replace(/\.(exe|cmd|bat)$/i, '')
    .toLowerCase();
  const at = SYNTAX.find(([names]) => names.test(name))?.[1](file, line) ?? [file];
  const child = spawn(command, [...args, ...at], { stdio: 'inherit' });
  const [code]: readonly (number | null)[] = await once(child, 'close').catch((cause: unknown) => {
    const example = `${variable}="'/my editors/vim'"`;
    const quotes = args.length > 0 ? ` A path with blanks needs quotes of its own: ${example}.` : '';
    throw new DocfuseError(
      'not_found',
      `The editor ${command} that ${variable} names cannot be started.`,
      `Correct ${variable}, or install the editor.${quotes}`,
      { cause },
    );
  });
  if (code !== 0) {
    throw new DocfuseError(
      'storage',
      code === null
        ? `A signal ended the editor ${command}.`
        : `The editor ${command} ended with exit code ${code}.`,
      `Open ${file}:${line} yourself.`,
    );
  }
}

/** Milliseconds within which the program may fail. A longer run is a success: a browser may run until its window is closed. */
const PATIENCE_MS = 1_000;

/** @returns why no browser was opened, as a sentence; undefined if one was */
export async function openBrowser(address: string): Promise<string | undefined> {
  const [program, ...args] = browserCommand(process.env, process.platform);
  if (program === undefined) return 'There is no display to show a browser on.';
  // No shell: a query must never become a command.
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  child.on('error', () => resolve(`The program ${program} that opens a browser cannot be started.`));
  child.on('exit', (code) =>
    resolve(code === 0 ? undefined : `The program ${program} that opens a browser failed.`),
  );
  const timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  const failure = await promise;
  clearTimeout(timer);
  child.unref();
  return failure;
}

/** The command that opens an address: the value of `BROWSER`, or else a command of the system. Empty if there is no display. */
export function browserCommand(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): readonly string[] {
  if (env.BROWSER?.trim()) return splitCommand(env.BROWSER);
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  if (platform === 'darwin') return ['open'];
  if (env.WSL_DISTRO_NAME) return ['wslview'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : [];
}

function splitCommand(command: string): readonly string[] {
  return Array.from(
    command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, bare]) => double ?? single ?? bare!,
  );
}
