/** Reads the `corpus.jsonl` of a judged set in BEIR layout: each entry becomes a Markdown document. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import { parseJson } from '../../core/model/json.ts';
import type { Source } from '../../core/ports.ts';
import { lazyConstant } from '../../core/text/lazy-constant.ts';
import { decodeText } from './decode-text.ts';

const Entry = z.object({ _id: z.string().min(1), title: z.string().nullish(), text: z.string() });

/**
 * Each line of the file is a JSON object with `_id`, `text` and, optionally, `title`. The path of a document is its id, which may contain any character. The file is read once, when it is first needed.
 * `list` and `read` throw DocfuseError: `not_found` if the file cannot be read, `judgements` if a line is not an entry.
 */
export function createCorpusSource(file: string): Source {
  const load = lazyConstant(() => loadCorpus(file));

  return {
    async *list(_onSkip, signal, { within } = {}) {
      const { texts, modified } = await load();
      for (const [path, text] of texts) {
        signal?.throwIfAborted();
        if (within?.covers(path) !== false)
          yield { path, size: Buffer.byteLength(text), modified, altered: 0 };
      }
    },
    // The file is read once, so nothing can change.
    touchedBy: () => undefined,
    async read(path) {
      const text = (await load()).texts.get(path);
      if (text === undefined) return { path, reason: 'unreadable', detail: `no such entry in ${file}` };
      return { text, hash: createHash('sha256').update(text).digest('hex'), warnings: [] };
    },
  };
}

/** Loads the entries as Markdown by id, in order of the ids. */
async function loadCorpus(file: string) {
  const { content, modified } = await readCorpus(file);
  const texts = new Map<string, string>();
  for (const [index, line] of content.split('\n').entries()) {
    if (line.trim() === '') continue;
    const entry = Entry.safeParse(parseJson(line));
    if (!entry.success) throw badLine(file, index + 1, `is not an object with the strings "_id" and "text"`);
    const { _id, title, text } = entry.data;
    if (texts.has(_id)) throw badLine(file, index + 1, `repeats the _id "${_id}"`);
    texts.set(_id, toMarkdown(title ?? '', text));
  }
  return { modified, texts: new Map([...texts].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

async function readCorpus(file: string): Promise<{ content: string; modified: number }> {
  try {
    const [bytes, { mtimeMs }] = await Promise.all([readFile(file), stat(file)]);
    const decoded = decodeText(bytes);
    if (decoded === undefined) throw new Error('it is not a text file');
    return { content: decoded.text, modified: mtimeMs };
  } catch (cause) {
    throw new DocfuseError(
      'not_found',
      `The corpus ${file} cannot be read (${(cause as Error).message}).`,
      'Give the folder of a judged set with a readable corpus.jsonl.',
      { cause },
    );
  }
}

/** Writes the title as front matter (JSON is valid YAML). Without a title, `---` at the start must not begin front matter. */
function toMarkdown(title: string, text: string): string {
  if (title.trim() !== '') return `---\ntitle: ${JSON.stringify(title)}\n---\n\n${text}`;
  return /^(---|\+\+\+)/.test(text) ? `\n${text}` : text;
}

function badLine(file: string, line: number, what: string): DocfuseError {
  return new DocfuseError(
    'judgements',
    `${file}:${line} ${what}.`,
    'Each line of a corpus is one JSON object such as {"_id": "1", "title": "…", "text": "…"}.',
  );
}
