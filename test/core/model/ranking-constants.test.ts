import { beforeAll, expect, it } from 'vitest';
import { RANKING, type RankingConstants } from '../../../src/core/model/ranking-constants.ts';
import { type MemorySearch, memoryIndex } from '../../support/memory-services.ts';

const FRONT = [
  '---\nkeywords: [heron]\ntags: [heron]\ncategory: heron\nauthor: heron\n---\n\n',
  '---\ndescription: the heron again\naliases: [heron]\n---\n\n',
];
const FILES = Array.from({ length: 130 }, (_, place) => ({
  path: `note-${String(place).padStart(3, '0')}.md`,
  text: [
    FRONT[place] ?? '',
    `# ${place % 7 === 0 ? 'The heron' : 'Note'} ${place}\n\n`,
    `## ${place % 5 === 0 ? 'Heron pond' : 'Part'}\n\n`,
    `${'heron '.repeat(place % 4)} and ${'pond '.repeat(place % 3)} word${place} ${'fill '.repeat(place % 11)}\n`,
    place < 3 ? `\n[[note-00${place + 3}]] and [[note-00${place + 5}]]\n` : '',
    place % 6 === 0 ? `\n\`\`\`ts\nheronPond(${place});\n\`\`\`\n` : '',
  ].join(''),
}));
const SETTINGS = { communityDetectionEnabled: true, graphWeight: 1, contentDedupEnabled: false };
const question = (words: number) =>
  `heron pond ${Array.from({ length: words - 2 }, (_, place) => `word${place}`).join(' ')}`;

const SCENARIOS: readonly (readonly [query: string, asked: MemorySearch])[] = [
  ['heron pond', {}],
  ['guide to the heron', {}],
  ['heronPond', {}],
  ['heron zeppelin quartz violin', {}],
  // Three passages show what is looked for; then four, where five would.
  [question(12), {}],
  [question(20), {}],
  ['heron pond', { settings: { calibration: 'sigmoid' } }],
  ['`heronPond` heron', { settings: { calibration: 'sigmoid', fusion: 'rrf' } }],
];

/** Every number of the table, by its path. */
const NUMBERS = numbersOf(RANKING);
const before: unknown[] = [];

beforeAll(async () => {
  for await (const answer of answersUnder(RANKING)) before.push(answer);
});

it.each(NUMBERS)('%s is read', async (path) => {
  const changed = structuredClone(RANKING);
  const names = path.split('.');
  const last = names.pop()!;
  const table = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], changed);
  const numbers = table as Record<string, number>;
  const whole = Number.isInteger(numbers[last]) && numbers[last]! > 0;
  numbers[last] = whole ? numbers[last]! + 1 : numbers[last]! * 0.7 + 0.1;
  let place = 0;
  for await (const answer of answersUnder(changed))
    if (JSON.stringify(answer) !== JSON.stringify(before[place++])) return;
  expect.unreachable('no answer has changed');
});

/** Order and confidence of all candidates, scenario by scenario. */
async function* answersUnder(constants: RankingConstants): AsyncGenerator<unknown> {
  const index = memoryIndex(FILES, constants);
  for (const [query, { settings, ...asked }] of SCENARIOS) {
    const given = { ...asked, topN: 100, settings: { ...SETTINGS, ...settings } };
    const { candidates } = await index.search(query, given);
    yield candidates.map(({ id, fused, score }) => [id, fused, score]);
  }
}

function numbersOf(value: object, path: readonly string[] = []): readonly string[] {
  return Object.entries(value).flatMap(([name, each]) =>
    typeof each === 'number' ? [[...path, name].join('.')] : numbersOf(each, [...path, name]),
  );
}
