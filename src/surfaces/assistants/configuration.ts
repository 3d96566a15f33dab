/** Adds our server to an assistant's configuration file. */
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';
import { isRecord, parseJson } from '../../core/model/json.ts';
import type { Assistant } from './clients.ts';

/** The new text of the file, or why the file is not changed. */
export type Merged = { readonly text: string } | { readonly unchanged: true } | { readonly refused: string };

type Entry = Readonly<Record<string, unknown>>;

export function configurationText({ format, key }: Assistant, name: string, entry: Entry): string {
  const whole = { [key]: { [name]: entry } };
  return format === 'json' ? `${JSON.stringify(whole, undefined, 2)}\n` : stringifyToml(whole);
}

/**
 * Adds the server to the text of a file; all else stays. An entry with the same name is updated in JSON and refused in TOML.
 * @param before text of the file; undefined if there is no file
 */
export function mergeConfiguration(
  assistant: Assistant,
  name: string,
  entry: Entry,
  before: string | undefined,
): Merged {
  if (before === undefined || before.trim() === '') {
    return { text: configurationText(assistant, name, entry) };
  }
  return assistant.format === 'json'
    ? mergeJson(assistant.key, name, entry, before)
    : mergeToml(assistant, name, entry, before);
}

function mergeJson(key: string, name: string, entry: Entry, before: string): Merged {
  const mark = before.startsWith('\uFEFF') ? '\uFEFF' : '';
  const whole = parseJson(before.slice(mark.length));
  if (whole === undefined)
    return { refused: 'It contains comments or is not valid JSON. Writing it would lose text.' };
  if (!isRecord(whole)) return { refused: 'It is not a JSON object.' };
  if (!keepsAll(before.slice(mark.length), whole)) {
    return {
      refused:
        'It contains a number or text in an unusual spelling, or the same key twice. Writing the file would change these, too.',
    };
  }
  const servers = whole[key] ?? {};
  if (!isRecord(servers)) return { refused: `Its ${key} is not an object.` };
  const old = Object.hasOwn(servers, name) ? servers[name] : undefined;
  const merged = mergeEntry(isRecord(old) ? old : {}, entry);
  if (JSON.stringify(merged) === JSON.stringify(old)) return { unchanged: true };
  const indent = /^[ \t]+(?=")/m.exec(before)?.[0] ?? 2;
  const text = JSON.stringify({ ...whole, [key]: { ...servers, [name]: merged } }, undefined, indent);
  return { text: `${mark}${text}${before.endsWith('\n') ? '\n' : ''}` };
}

/** Merges a new entry into the old one. Keeps what the user has added, such as variables. */
function mergeEntry(old: Entry, entry: Entry): Entry {
  const inner = Object.entries(entry).map(([key, value]) => {
    const before = old[key];
    return [key, isRecord(value) && isRecord(before) ? { ...before, ...value } : value] as const;
  });
  return { ...old, ...Object.fromEntries(inner) };
}

/** Adds a table at the end, so that comments and order stay. */
function mergeToml(assistant: Assistant, name: string, entry: Entry, before: string): Merged {
  const { key } = assistant;
  try {
    const servers = parseToml(before)[key];
    const old = isRecord(servers) ? servers[name] : undefined;
    if (JSON.stringify(old) === JSON.stringify(entry)) return { unchanged: true };
    if (old !== undefined) return { refused: `It already has a table [${key}.${name}].` };
    const text = `${before.trimEnd()}\n\n${configurationText(assistant, name, entry)}`;
    parseToml(text);
    return { text };
  } catch {
    return { refused: 'It is not valid TOML, or a table cannot be added at its end.' };
  }
}

/**
 * Whether writing the parsed text changes only white space. `JSON.parse` drops digits of long numbers, and keeps only
 * the last of equal keys.
 */
function keepsAll(text: string, parsed: unknown): boolean {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1') === JSON.stringify(parsed);
}

/** The text of a file; undefined if the file does not exist. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces a file of the user completely or not at all. Keeps its mode. If it is a symbolic link, replaces the target. */
export function replaceFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const there = statSync(file, { throwIfNoEntry: false });
  const target = there ? realpathSync(file) : file;
  const draft = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    if (there) chmodSync(draft, there.mode);
    renameSync(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
}
