/** Random collections and requests for the contract of retrieval. */
import fc from 'fast-check';
import { LANE_TABLE } from '../../src/core/lanes/lane-table.ts';
import type { Filters } from '../../src/core/model/query.ts';
import { LANES, type Lane } from '../../src/core/model/ranking-constants.ts';
import { parseQuery } from '../../src/core/query/parse.ts';
import type { RetrievalRequest } from '../../src/core/retrieval/retrieval.ts';
import type { MemoryFile } from '../support/memory-services.ts';

const WORDS = ['alpha', 'alphabet', 'beta', 'gamma', 'delta', 'deltas', 'getUserById'];
const word = fc.constantFrom(...WORDS);
const words = (least = 1) => fc.array(word, { minLength: least, maxLength: 6 }).map((list) => list.join(' '));
const section = fc.record({ title: words(), text: words(), code: fc.option(words(), { nil: undefined }) });
const file = fc.record({
  tags: fc.subarray(['a', 'b/c']),
  title: words(),
  sections: fc.array(section, { maxLength: 3 }),
});
/** @param hasCode whether some sections have a code block. @default true */
export const filesWith = (hasCode: boolean) =>
  fc.array(file, { maxLength: 6 }).map((list) =>
    list.map(({ tags, title, sections }, number): MemoryFile => {
      const parts = sections.map(({ title, text, code }) => {
        const block = code === undefined || !hasCode ? '' : `\n\`\`\`ts\n${code}\n\`\`\`\n`;
        // Long enough for a passage of its own.
        return `## ${title}\n\n${text} ${'and so on '.repeat(20)}\n${block}`;
      });
      const head = `---\ntags: [${tags.join(', ')}]\n---\n# ${title}\n\n[[${(number + 1) % list.length}]]\n\n`;
      return { path: `${number}.md`, text: head + parts.join('\n'), modified: number };
    }),
  );
/** So many files that rare words alone find enough: a published index then leaves out `beta`, which is in all of them. */
export const manyFiles = fc
  .array(fc.tuple(fc.integer({ min: -4, max: 10 }), fc.integer({ min: 1, max: 6 })), {
    minLength: 60,
    maxLength: 70,
  })
  .map((list) =>
    list.map(([alphas, betas], number): MemoryFile => {
      const text = `${'alpha '.repeat(Math.max(0, alphas))}${'beta '.repeat(betas)}${'and so on '.repeat(number)}`;
      return { path: `${number}.md`, text: `# Page\n\n${text}\n`, modified: number };
    }),
  );
export const PHRASES = ['"alpha beta"', '-"beta delta"'];
const askedWith = (more: readonly string[]) =>
  fc
    .tuple(words(), fc.subarray([...more, '-gamma', 'title:alpha', 'alph*', 'tag:a'], { maxLength: 2 }))
    .map(([plain, more]) => [plain, ...more].join(' '));
/** A quarter has no filter: fast-check leaves out one optional key of six, so that hardly any would have none. */
const filters = fc
  .tuple(
    fc.record({ tag: fc.constant(['b']), lang: fc.constant(['ts']), after: fc.nat(5) }),
    fc.subarray(['tag', 'lang', 'after'] as const),
  )
  .map(([all, names]): Filters => Object.fromEntries(names.map((name) => [name, all[name]])));
export const requestWith = (lanes: readonly Lane[], more: readonly string[]) =>
  fc.record({
    asked: askedWith(more),
    filters,
    depth: fc.integer({ min: 1, max: 8 }),
    lanes: fc.subarray([...lanes], { minLength: 1 }),
  });

/** Lanes that score by vectors. */
export const BY_VECTOR = LANES.filter((lane) => (LANE_TABLE[lane].follows ?? lane) === 'semantic');
/** Lanes that score by words. */
export const BY_WORDS = LANES.filter((lane) => !BY_VECTOR.includes(lane));

/** Makes a request of what was drawn. The vector of the query depends on the length of its text. */
export function requestOf({
  asked,
  ...more
}: { readonly asked: string } & Pick<RetrievalRequest, 'filters' | 'depth' | 'lanes'>) {
  const vector = Float32Array.from({ length: 16 }, (_, i) => Math.sin(i + asked.length));
  const length = Math.hypot(...vector);
  // A lane that follows another may be read off the ranking of that one.
  const lanes = LANES.filter((lane) =>
    more.lanes.some((each) => each === lane || LANE_TABLE[each].follows === lane),
  );
  return { ...more, lanes, query: parseQuery(asked), vector: vector.map((value) => value / length) };
}
