/** Makes questions for what is not wanted: documents with a word in common in their titles, told apart by what one is about and another never says. */
import type { ParsedDocument } from '../src/core/model/document.ts';
import { stem } from '../src/core/text/stem.ts';
import { isStopWord } from '../src/core/text/stopwords.ts';

type Candidate = { readonly query: string; readonly path: string };

/**
 * `subject` stands in the titles of several documents, `other` in the title of one of them, too. One document alone never says `other`, in
 * whatever form: it is the answer, and those that say both are the wrong ones.
 * @param ask the question
 */
export function* contrasts(
  documents: readonly ParsedDocument[],
  ask: (subject: string, other: string) => string,
): Iterable<Candidate> {
  const known = documents.map(({ path, title, text }) => ({
    path,
    titled: new Set(wordsOf(title)),
    said: new Set(wordsOf(`${path} ${title} ${text}`).map(stem)),
  }));
  const bySubject = new Map<string, (typeof known)[number][]>();
  for (const each of known) {
    for (const word of each.titled) bySubject.set(word, [...(bySubject.get(word) ?? []), each]);
  }
  for (const [subject, own] of bySubject) {
    for (const other of new Set(own.flatMap(({ titled }) => [...titled]))) {
      const silent = own.filter(({ said }) => !said.has(stem(other)));
      if (silent.length === 1) yield { path: silent[0]!.path, query: ask(subject, other) };
    }
  }
}

function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).filter((word) => !isStopWord(word));
}
