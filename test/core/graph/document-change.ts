/** Makes random changes of documents whose names and links resemble each other, for properties. */
import fc from 'fast-check';
import type { LinkingDocument } from '../../../src/core/graph/link-edges.ts';
import type { Link } from '../../../src/core/model/document.ts';

export interface LinkedDocument extends LinkingDocument {
  readonly links: readonly Link[];
}

/** @returns changes of the document at `path`; `gone` removes it, `asked` says whether to read the graph afterwards */
export function documentChange() {
  const segment = fc.constantFrom('a', 'B', 'b', 'a.b', 'c#d', 'e\u0301', '\u00e9', 'index', 'README');
  const path = fc
    .array(segment, { minLength: 1, maxLength: 3 })
    .map((segments) => `${segments.join('/')}.md`);
  const target = fc.oneof(
    path,
    segment,
    fc.constantFrom('..', './', '/', 'a/', '../b/', 'a/..'),
    fc.tuple(fc.constantFrom('../', './', '/', ''), path).map(([lead, rest]) => lead + rest),
  );
  const link = fc.record({
    kind: fc.constantFrom('wikilink' as const, 'relative' as const),
    target,
    line: fc.constant(1),
    label: segment,
  });
  return fc.record({
    path,
    gone: fc.boolean(),
    title: segment,
    aliases: fc.array(target, { maxLength: 1 }),
    links: fc.array(link, { maxLength: 3 }),
    asked: fc.boolean(),
  });
}
