/** Makes questions that say a name in another way than the document that answers: short for long, together for apart. */
import type { ParsedDocument } from '../src/core/model/document.ts';

type Candidate = { readonly query: string; readonly path: string };

interface Sentence {
  readonly path: string;
  readonly text: string;
}

/** Words of the sentence that are asked with the name, so that one document answers. */
const CONTEXT = 3;

const DEFINITION = /((?:[A-Z][\w-]+ (?:of |and |the |for )?){1,5}[A-Z]?[\w-]+) \(([A-Z]{2,6})s?\)/g;

/** `Architecture Decision Record (ADR)`, where the short form is the capitals of the long one. */
function definitions(documents: readonly ParsedDocument[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { text } of documents) {
    for (const [, before = '', short = ''] of text.matchAll(DEFINITION)) {
      const words = before.split(' ');
      for (let first = 0; first < words.length; first++) {
        const long = words.slice(first).join(' ');
        if (words.slice(first).length < 2 || initials(long) !== short) continue;
        found.set(short, (found.get(short) ?? new Set()).add(long.toLowerCase()));
        break;
      }
    }
  }
  return found;
}

function initials(long: string): string {
  return [...long.matchAll(/(?<![A-Za-z])[A-Z]/g)].join('');
}

/** The short form, of a sentence with the long one in a document that never says the short one. */
export function* acronyms(documents: readonly ParsedDocument[]): Iterable<Candidate> {
  for (const [short, longs] of definitions(documents)) {
    const hasShort = new RegExp(`\\b${short}s?\\b`);
    for (const long of longs) {
      for (const sentence of sentencesWith(long, documents, (text) => !hasShort.test(text))) {
        yield* ask(short, long, sentence);
      }
    }
  }
}

/** The long form, of a sentence with the short one in a document that never says the long one. */
export function* longForms(documents: readonly ParsedDocument[]): Iterable<Candidate> {
  for (const [short, longs] of definitions(documents)) {
    for (const long of longs) {
      const lacksLong = (text: string) => [...longs].every((each) => !text.toLowerCase().includes(each));
      for (const sentence of sentencesWith(short, documents, lacksLong)) yield* ask(long, short, sentence);
    }
  }
}

const TOGETHER = /(?<![\p{L}\p{N}_./:-])(\p{Ll}{3,})-(\p{Ll}{3,})(?![\p{L}\p{N}_./:(-])/gu;

/** `frontmatter`, of a sentence with `front matter` or `front-matter` in a document that never writes it together. */
export function* writtenTogether(documents: readonly ParsedDocument[]): Iterable<Candidate> {
  for (const [first, second] of compounds(documents)) {
    const joined = first + second;
    const lacks = (text: string) => !text.toLowerCase().includes(joined);
    for (const form of [`${first} ${second}`, `${first}-${second}`]) {
      for (const sentence of sentencesWith(form, documents, lacks)) yield* ask(joined, form, sentence);
    }
  }
}

/** `front matter` or `front-matter`, of a sentence with `frontmatter` in a document that never writes it apart. */
export function* writtenApart(documents: readonly ParsedDocument[]): Iterable<Candidate> {
  let turn = 0;
  for (const [first, second] of compounds(documents)) {
    const lacks = (text: string) => !new RegExp(`\\b${first}[\\s-]+${second}`, 'i').test(text);
    for (const sentence of sentencesWith(first + second, documents, lacks)) {
      yield* ask(turn++ % 2 === 0 ? `${first} ${second}` : `${first}-${second}`, first + second, sentence);
    }
  }
}

/** Words that one document writes with a hyphen and another together. */
function compounds(documents: readonly ParsedDocument[]): readonly (readonly [string, string])[] {
  const words = new Set(documents.flatMap(({ text }) => text.toLowerCase().match(/\p{Ll}{6,}/gu) ?? []));
  const pairs = new Map<string, readonly [string, string]>();
  for (const { text } of documents) {
    for (const [whole, first = '', second = ''] of text.matchAll(TOGETHER)) {
      if (words.has(first + second)) pairs.set(whole, [first, second]);
    }
  }
  return [...pairs.values()];
}

/** One sentence of prose of each document that passes, with the name as whole words. */
function* sentencesWith(
  name: string,
  documents: readonly ParsedDocument[],
  passes: (text: string) => boolean,
): Iterable<Sentence> {
  const folded = name.toLowerCase();
  const isCapitals = name !== folded;
  const whole = new RegExp(`(?<![\\p{L}\\p{N}_/.:-])${name}(?![\\p{L}\\p{N}_/:(-])`, isCapitals ? 'u' : 'iu');
  for (const { path, text, blocks } of documents) {
    const isPossible = isCapitals ? text.includes(name) : text.toLowerCase().includes(folded);
    if (!isPossible || !passes(text)) continue;
    for (const { kind, start, end } of blocks) {
      if (kind !== 'paragraph' && kind !== 'list') continue;
      const sentence = text
        .slice(start, end)
        .split(/(?<=[.!?])\s/)
        .find((each) => whole.test(each) && !/[`<>\]]/.test(each));
      if (sentence === undefined) continue;
      yield { path, text: sentence };
      break;
    }
  }
}

function* ask(asked: string, said: string, { path, text }: Sentence): Iterable<Candidate> {
  const rest = text.replaceAll(new RegExp(said, 'gi'), ' ');
  const words = (rest.match(/\p{L}{5,}/gu) ?? []).slice(0, CONTEXT);
  if (words.length === CONTEXT) yield { path, query: `${asked} ${words.join(' ')}` };
}
