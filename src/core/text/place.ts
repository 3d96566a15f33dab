/** Writes where a passage is: `guide.md:12`, or `book.pdf#page=3` for a file with pages. */

export interface PlaceInFile {
  /** 1-based. */
  readonly line: number;
  /** 1-based page of a file that has pages. Its lines are those of the converted text, so they are not shown. */
  readonly page?: number | undefined;
}

export function placeIn(file: string, { line, page }: PlaceInFile): string {
  return page === undefined ? `${file}:${line}` : `${file}#page=${page}`;
}

/** Returns the 1-based page of a line; undefined without pages. @param pages 1-based first line of each page */
export function pageAt(pages: readonly number[] | undefined, line: number): number | undefined {
  return pages && Math.max(1, pages.findLastIndex((first) => first <= line) + 1);
}
