/** Finds front matter, parses its YAML or TOML, and converts it to plain values. */
import { parse as parseToml, TomlError } from 'smol-toml';
import { Composer, isMap, isNode, isScalar, Lexer, type Node, Parser, visit } from 'yaml';
import type { FrontMatter } from '../model/document.ts';
import { KNOWN_FIELDS } from './fields.ts';
import { readProperties } from './logseq.ts';

export interface FrontMatterReading {
  readonly values: FrontMatter;
  /** The text between the fences, as written. */
  readonly source: string;
  /** Offset in the file where the body begins. */
  readonly end: number;
  /** 1-based line of the file where the body begins. */
  readonly firstLine: number;
  readonly warnings: readonly string[];
}

/** Max UTF-16 units. Longer front matter is data, and is not parsed. */
const MAX_LENGTH = 64 * 1024;
/** Max depth of values; deeper values become null. */
const MAX_DEPTH = 32;
/** Max depth that is parsed. Deeper front matter counts as malformed; far greater depths would exhaust the stack. */
const MAX_PARSED_DEPTH = 200;
const TOO_DEEP = `values are nested more than ${MAX_PARSED_DEPTH} levels deep.`;

/** A sentence about a problem, and the line where the problem is. */
interface Problem {
  readonly message: string;
  /** 1-based, within the source. */
  readonly line: number;
}

interface Parsed {
  readonly value?: unknown;
  readonly problem?: Problem;
}

/** Reads the front matter, or the properties of Logseq, at the start of a file. Line ends must be LF. */
export function readFrontMatter(file: string): FrontMatterReading {
  const open = /^(---|\+\+\+)[ \t]*\n/.exec(file);
  if (!open) {
    const read = readProperties(file);
    if (!read) return body();
    const { length } = read.source;
    return { ...read, end: length, firstLine: lineOf(file, length), warnings: [] };
  }
  const isYaml = open[1] === '---';
  const rest = file.slice(open[0].length - 1);
  const close = (isYaml ? /\n(?:---|\.\.\.)[ \t]*(?=\n|$)/ : /\n\+\+\+[ \t]*(?=\n|$)/).exec(rest);
  if (!close) {
    const looksMeant = /^\n[\w-]+\s*[:=]/.test(rest.slice(0, 200));
    return body(
      looksMeant ? [`Front matter opened on line 1 is never closed by ${open[1]}; it was read as text.`] : [],
    );
  }

  const source = rest.slice(1, close.index + 1);
  const end = Math.min(file.length, open[0].length + close.index + close[0].length);
  const place = { source, end, firstLine: lineOf(file, end) };

  const { value, problem } = parse(source, isYaml);
  if (problem) {
    const warning = `Front matter is malformed on line ${problem.line + 1}: ${problem.message}`;
    return { ...place, values: {}, warnings: [warning] };
  }
  if (value === null || value === undefined) return { ...place, values: {}, warnings: [] };
  if (typeof value !== 'object' || Array.isArray(value)) {
    // Probably prose between two horizontal rules: the prose must stay in the text.
    return body(['Front matter holds no fields; it was read as text.']);
  }
  return { ...place, values: plainValue(value, []) as FrontMatter, warnings: [] };
}

function body(warnings: readonly string[] = []): FrontMatterReading {
  return { values: {}, source: '', end: 0, firstLine: 1, warnings };
}

function parse(source: string, isYaml: boolean): Parsed {
  if (source.length > MAX_LENGTH) {
    return { problem: { message: `it is longer than ${MAX_LENGTH / 1024} KB.`, line: 1 } };
  }
  try {
    return isYaml ? yaml(source) : { value: parseToml(source, { maxDepth: MAX_PARSED_DEPTH }) };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

function yaml(source: string): Parsed {
  const parser = new Parser();
  const tokens = [];
  for (const lexeme of new Lexer().lex(source)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_PARSED_DEPTH)
      return { problem: { message: TOO_DEEP, line: lineOf(source, parser.offset) } };
  }
  tokens.push(...parser.end());
  const composer = new Composer({ schema: 'core', prettyErrors: false, logLevel: 'silent' });
  const [first] = composer.compose(tokens, true, source.length);
  const document = first!; // `true` asks for a document even if there are no tokens
  const [error] = document.errors;
  if (error) return { problem: { message: sentence(error.message), line: lineOf(source, error.pos[0]) } };
  if (isMap(document.contents)) {
    for (const { key, value } of document.contents.items) {
      if (isScalar(key) && isNode(value) && KNOWN_FIELDS.has(String(key.value))) keepAsWritten(value);
    }
  }
  return { value: document.toJS({ maxAliasCount: 100 }) };
}

/** Keeps the spelling of numbers and booleans in a field: `title: 1.10` and `tags: [007]` are read as text. */
function keepAsWritten(field: Node): void {
  visit(field, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'number' || typeof scalar.value === 'boolean') {
        scalar.value = scalar.source ?? String(scalar.value);
      }
    },
  });
}

/** Copies a value to types of JSON. Dates become text; circular references and values nested too deep become null. */
function plainValue(value: unknown, ancestors: readonly object[]): unknown {
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)))
    return String(value);
  if (value === null || typeof value !== 'object') return value ?? null;
  if (value instanceof Date) return value.toISOString();
  if (ancestors.length >= MAX_DEPTH || ancestors.includes(value)) return null;
  const path = [...ancestors, value];
  if (Array.isArray(value)) return value.map((item) => plainValue(item, path));
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, item]) => [key, plainValue(item, path)]));
}

function problemOf(error: unknown): Problem {
  if (error instanceof TomlError) {
    // Use the first line only: the other lines of the message show the place in the source.
    const [first = ''] = error.message.split('\n');
    const message = first.replace(/^Invalid TOML document: /, '');
    return { message: /nested/.test(message) ? TOO_DEEP : sentence(message), line: error.line };
  }
  if (error instanceof RangeError) return { message: 'it is nested too deeply.', line: 1 };
  return { message: sentence(error instanceof Error ? error.message : String(error)), line: 1 };
}

function sentence(whole: string): string {
  const message = whole.slice(0, 200);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** Returns the 1-based line of an offset. */
function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
