/** Looks for text in the bytes of every file of an index, in each form in which it could be kept. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fold } from '../../src/core/text/fold.ts';
import { stem } from '../../src/core/text/stem.ts';

/** The stem of a word that documents still have is no trace of another one with that stem. */
const STAYS = 'lantern';

/** @returns which of the texts are there, and where */
export function tracesOf(indexPath: string, texts: readonly string[]): readonly string[] {
  const files = readdirSync(indexPath).map((name) => [name, readFileSync(join(indexPath, name))] as const);
  return texts.flatMap((text) =>
    files
      .filter(([, bytes]) => formsOf(text).some((form) => bytes.includes(form)))
      .map(([name]) => `${text} in ${name}`),
  );
}

function formsOf(text: string): readonly Buffer[] {
  const spellings = [
    text,
    fold(text),
    stem(fold(text)),
    text.toUpperCase(),
    JSON.stringify(text).slice(1, -1),
  ];
  return [...new Set(spellings)]
    .filter((spelling) => spelling !== STAYS)
    .flatMap((spelling) => {
      const little = Buffer.from(spelling, 'utf16le');
      return [
        Buffer.from(spelling, 'utf8'),
        little,
        Buffer.from(little).swap16(),
        Buffer.from(spelling, 'latin1'),
      ];
    });
}
