/** Answers, for ever later offsets of `<`, the offset after the HTML comment that begins there, if one does and is closed. */
export function commentFinder(text: string): (at: number) => number | undefined {
  let close = -1;
  return (at) => {
    if (close === Number.POSITIVE_INFINITY || !text.startsWith('<!--', at)) return undefined;
    if (close < at + 4) {
      const found = text.indexOf('-->', at + 4);
      close = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return close === Number.POSITIVE_INFINITY ? undefined : close + 3;
  };
}
