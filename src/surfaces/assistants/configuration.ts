/** An assistant's configuration file with our server in it: as a text of its own, or merged with what is there. */
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';
import type { Assistant } from './clients.ts';

/** What became of the file: its new text, or why it was left alone. */
export type Merged = { readonly text: string } | { readonly unchanged: true } | { readonly refused: string };

type Entry = Readonly<Record<string, unknown>>;

/** The server alone, as it stands in the file. */
export function configurationText({ format, key }: Assistant, name: string, entry: Entry): string {
  const whole = { [key]: { [name]: entry } };
  return format === 'json' ? `${JSON.stringify(whole, undefined, 2)}\n` : stringifyToml(whole);
}

/**
 * Adds the server to what is there, or replaces the one of its name; all else stays.
 * @param before text of the file; undefined where there is none
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
  let whole: unknown;
  try {
    whole = JSON.parse(before.slice(mark.length));
  } catch {
    return { refused: 'It holds comments, or is not valid JSON; writing it would lose something.' };
  }
  if (!isRecord(whole)) return { refused: 'It holds no object.' };
  if (!keepsAll(before.slice(mark.length), whole)) {
    return {
      refused: 'It holds a number of too many digits, or one key twice; writing it would lose something.',
    };
  }
  const servers = whole[key] ?? {};
  if (!isRecord(servers)) return { refused: `Its ${key} is no object.` };
  const old = Object.hasOwn(servers, name) ? servers[name] : undefined;
  const merged = mergeEntry(isRecord(old) ? old : {}, entry);
  if (JSON.stringify(merged) === JSON.stringify(old)) return { unchanged: true };
  const indent = /^[ \t]+(?=")/m.exec(before)?.[0] ?? 2;
  const text = JSON.stringify({ ...whole, [key]: { ...servers, [name]: merged } }, undefined, indent);
  return { text: `${mark}${text}${before.endsWith('\n') ? '\n' : ''}` };
}

/** What a user set beside the command stays, variables among it. */
function mergeEntry(old: Entry, entry: Entry): Entry {
  const inner = Object.entries(entry).map(([key, value]) => {
    const before = old[key];
    return [key, isRecord(value) && isRecord(before) ? { ...before, ...value } : value] as const;
  });
  return { ...old, ...Object.fromEntries(inner) };
}

/** A table at the end leaves comments and order as they are. */
function mergeToml(assistant: Assistant, name: string, entry: Entry, before: string): Merged {
  const { key } = assistant;
  try {
    const servers = parseToml(before)[key];
    const old = isRecord(servers) ? servers[name] : undefined;
    if (JSON.stringify(old) === JSON.stringify(entry)) return { unchanged: true };
    if (old !== undefined) return { refused: `It has a [${key}.${name}] already.` };
    const text = `${before.trimEnd()}\n\n${configurationText(assistant, name, entry)}`;
    parseToml(text);
    return { text };
  } catch {
    return { refused: 'A table cannot be added to it.' };
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a text holds nothing that is lost once it is parsed: digits of long numbers, and all but the last of equal keys. */
function keepsAll(text: string, parsed: unknown): boolean {
  return literalsOf(text).join() === literalsOf(JSON.stringify(parsed)).join();
}

/** Every string, number and name in one order and one way of writing; what parses has nothing else but signs. */
function literalsOf(json: string): readonly string[] {
  const found = json.match(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/g) ?? [];
  return found
    .map((each) => (each.startsWith('"') ? JSON.stringify(JSON.parse(each)) : digitsOf(each)))
    .sort();
}

/** `1.50e3` and `1500` are both `15e2`; zero is `e`, whatever its sign. */
function digitsOf(literal: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  if (whole === undefined) return literal;
  const digits = (whole + fraction).replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  if (short === '') return 'e';
  return `${sign}${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}
