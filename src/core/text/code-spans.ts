/** Code spans: finds where a run of backticks is closed, in time linear in the text. */

/** Answers, for ever later openers, the offset after the closing run; nothing if the run is never closed. */
export type CodeSpanFinder = (open: number, length: number) => number | undefined;

/** Collects the runs of backticks once, so that unclosed openers cost no search (CommonMark 6.1). */
export function codeSpanFinder(source: string): CodeSpanFinder {
  const runs = new Map<number, { readonly starts: number[]; next: number }>();
  for (let at = source.indexOf('`'); at !== -1; at = source.indexOf('`', at)) {
    const start = at;
    while (source[at] === '`') at++;
    const same = runs.get(at - start);
    if (same) same.starts.push(start);
    else runs.set(at - start, { starts: [start], next: 0 });
  }
  return (open, length) => {
    const same = runs.get(length);
    if (!same) return undefined;
    while (same.next < same.starts.length && same.starts[same.next]! < open + length) same.next++;
    const close = same.starts[same.next];
    return close === undefined ? undefined : close + length;
  };
}
