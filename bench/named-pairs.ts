/** Makes questions that name one page outright: its file name, or a sentence of it, word by word. */
import type { ParsedDocument } from '../src/core/model/document.ts';

interface Named {
  readonly query: string;
  readonly path: string;
}

const SENTENCE_WORDS = { least: 6, most: 25 };

/** Base names that one document has, in turn with and without extension; `README` and the like name no subject. */
export function* fileNames(documents: readonly ParsedDocument[]): Iterable<Named> {
  const byName = Map.groupBy(documents, ({ path }) => baseOf(path).toLowerCase());
  let count = 0;
  for (const [{ path }, ...others] of byName.values() as Iterable<[ParsedDocument, ...ParsedDocument[]]>) {
    if (others.length > 0 || /^(?:readme|index|toc)\b/i.test(baseOf(path))) continue;
    yield { path, query: count++ % 2 === 0 ? baseOf(path) : path.split('/').at(-1)! };
  }
}

/** First sentences of paragraphs without Markdown in them, that stand in one document. */
export function* verbatimSentences(documents: readonly ParsedDocument[]): Iterable<Named> {
  const texts = documents.map(({ path, text }) => ({ path, text: onOneLine(text) }));
  for (const { path, text, blocks } of documents) {
    for (const { kind, start, end } of blocks) {
      if (kind !== 'paragraph') continue;
      const [sentence = ''] = onOneLine(text.slice(start, end)).split(/(?<=[.!?])\s/);
      const words = sentence.split(' ').length;
      const isProse = /^\p{Lu}[^*_`#[\]{}<>|"“”\\]*[.!?]$/u.test(sentence);
      if (!isProse || words < SENTENCE_WORDS.least || words > SENTENCE_WORDS.most) continue;
      if (texts.every((each) => each.path === path || !each.text.includes(sentence)))
        yield { path, query: sentence };
    }
  }
}

function baseOf(path: string): string {
  return path.split('/').at(-1)!.replace(/\.md$/, '');
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
