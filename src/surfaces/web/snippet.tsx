/** The snippet of a hit without Markdown marks, with the words of the query marked. */
import { plainMarkdown } from '../../core/text/plain-markdown.ts';
import type { Hit } from './finder.ts';

export function Snippet({ snippet: { text, matches, code } }: { readonly snippet: Hit['snippet'] }) {
  const shown = code ? { text, ranges: matches } : plainMarkdown(text, matches);
  const marked = pieces(shown.text, shown.ranges).map(({ text: piece, isMatch }) =>
    isMatch ? <mark>{piece}</mark> : piece,
  );
  return code ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls wide code
    <pre class="snippet" tabIndex={0}>
      {marked}
    </pre>
  ) : (
    <p class="snippet" dir="auto">
      {marked}
    </p>
  );
}

/** Cuts a text into matches and what is between them. @param ranges sorted, without overlaps */
function pieces(text: string, ranges: readonly (readonly [number, number])[]) {
  const ends = [0, ...ranges.map(([, end]) => end)];
  const starts = [...ranges.map(([start]) => start), text.length];
  return starts
    .flatMap((start, at) => [
      { text: text.slice(ends[at], start), isMatch: false },
      { text: text.slice(...(ranges[at] ?? [0, 0])), isMatch: true },
    ])
    .filter((piece) => piece.text !== '');
}
