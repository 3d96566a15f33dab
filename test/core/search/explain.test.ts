import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Explanation } from '../../../src/core/model/hit.ts';
import type { SearchSettings } from '../../../src/core/model/search-settings.ts';
import { checkExplanation, checkPlaces } from '../../support/check-explanation.ts';
import { memoryIndex } from '../../support/memory-services.ts';

const INDEX = memoryIndex([
  {
    path: 'tokens.md',
    text: '---\ntags: [security]\naliases: [keys]\ndescription: all about tokens\n---\n# Access tokens\n\nRotate a token `getUserById` with care; a token is a secret.\n\n```ts\ngetUserById(7)\n```\n',
    modified: Date.UTC(2026, 10, 20),
  },
  { path: 'fruit.md', text: '# Fruit\n\nApples and pears keep for weeks.\n' },
  { path: 'backups.md', text: '# Backups\n\nThe backup token is on a second disk (SD). See [[tokens]].\n' },
]);
const QUERIES = [
  'rotate a token',
  'token*',
  'getUserById token',
  '"access tokens"',
  'title:backups token',
  'pears and pears',
  'rotate a tokne',
  'accesstoken in an SD',
];
const SETTINGS = [
  {},
  { fusion: 'rrf' as const },
  { dynamicWeightsEnabled: true },
  { adaptiveWeightsEnabled: false },
  { coverageWeightsEnabled: false },
  { recencyBias: 1 },
  { mmrEnabled: true },
  { scoreCalibrationThreshold: 0.2, scoreCalibrationSteepness: 5 },
];

const EVERYTHING: Partial<SearchSettings> = {
  adaptiveWeightsEnabled: true,
  communityDetectionEnabled: true,
  dynamicWeightsEnabled: true,
  queryExpansionEnabled: true,
  queryExpansionThreshold: 0.1,
  queryExpansionMaxTerms: 10,
  synonymsEnabled: true,
  graphWeight: 1,
  graphDepth: 3,
  communityBoostFactor: 1.5,
  recencyBias: 1,
  dedupEnabled: true,
  dedupSimilarityThreshold: 0.99,
  mmrEnabled: true,
  rerankEnabled: true,
  rerankTopN: 100,
};
const GUIDE = `Rotate a token before it expires, then tell whoever keeps the list. ${'Every service reads it again. '.repeat(8)}`;
/** In either order they have one vector, and different trigrams. */
const WORDS = [
  ...'disk token backup copy of to by at in on an it is be do go he me my no or so up us we all one out her who new old any few own too via per yet nor ill ago far due big red set put let get run say see try use win won'.split(
    ' ',
  ),
];
/** Linked documents of several sections, with copies and near copies of one of them. */
const COPIES = memoryIndex([
  ...Array.from({ length: 6 }, (_, number) => ({
    path: `guide-${number}.md`,
    modified: Date.UTC(2026, 10, 21 - 9 * number),
    text: [
      `# Guide ${number}\n\nSee [[guide-${(number + 1) % 6}]] and [[tokens]]. ${'A backup of the token list is on disk. '.repeat(6)}`,
      `## Rotation\n\n${number < 3 ? GUIDE : GUIDE.replace('tell', ['ask', 'warn', 'call'][number - 3]!)}`,
      `## Code\n\n${'Call it with the id. '.repeat(9 + number)}\n\n\`\`\`ts\ngetUserById(${number});\n\`\`\``,
      `## Same words\n\n${(number % 2 ? WORDS : WORDS.toReversed()).join(' ')}`,
    ].join('\n\n'),
  })),
  {
    path: 'tokens.md',
    text: '# Tokens\n\nA token is a secret; keep a copy. See [[guide-0]].\n',
    modified: 0,
  },
]);

function labelsOf({ label, parts = [] }: Explanation): string[] {
  return [label, ...parts.flatMap(labelsOf)];
}

describe('explanations', () => {
  test.each(SETTINGS)('add up to the score with %j', async (settings) => {
    let count = 0;
    for (const query of QUERIES) {
      for (const mode of ['hybrid', 'keyword', 'semantic', 'code'] as const) {
        const { hits, weights } = await INDEX.search(query, { mode, explain: true, settings });
        for (const { explanation, score } of hits) {
          count++;
          expect(explanation!.value).toBe(score);
          expect(checkExplanation(explanation!, weights.fusion), `${query} by ${mode}`).toEqual([]);
        }
      }
    }
    expect(count).toBeGreaterThan(20);
  });

  test('add up with every stage switched on at once', async () => {
    const seen = new Set<string>();
    /** Those right under the score. */
    const lines = new Set<string>();
    // Where links reach most of the candidates, likeness says nothing.
    const ways = [{ fusion: 'convex' }, { fusion: 'rrf' }, { fusion: 'convex', graphWeight: 0 }] as const;
    for (const way of ways) {
      const settings = { ...EVERYTHING, ...way };
      for (const query of [
        'rotate a token',
        'backup disk token',
        'getUserById token',
        'copies of the guide',
        'rotate a tokne',
      ]) {
        const { hits, weights } = await COPIES.search(query, {
          explain: true,
          parents: true,
          topN: 100,
          settings,
        });
        const apart = await COPIES.search(query, { explain: true, topN: 100, settings });
        expect(checkPlaces(apart.hits.map(({ explanation }) => explanation!))).toEqual([]);
        expect(hits.length).toBeGreaterThan(1);
        const explanations = hits.map(({ explanation }) => explanation!);
        for (const explanation of explanations) {
          expect(checkExplanation(explanation, weights.fusion), `${query} by ${JSON.stringify(way)}`).toEqual(
            [],
          );
          for (const label of labelsOf(explanation)) seen.add(label);
          for (const { label } of explanation.parts ?? []) lines.add(label);
        }
      }
    }
    // Each stage had something to say, or this test would prove little.
    for (const label of [
      ...[
        'graph',
        'fused × community',
        'fused × recency',
        'weights',
        'factor for the variance of scores',
        'MMR',
      ],
      ...[
        'duplicates merged, by same text',
        'duplicates merged, by shared trigrams',
        'duplicates merged, by cosine',
      ],
      ...['confidence after MMR', 'confidence of the new rank', 'passages of the same section'],
      ...['weight of an added word', 'weight of a correction', 'votes', 'code', 'fused + likeness'],
    ]) {
      expect([...seen], label).toContain(label);
    }
    expect([...seen].some((label) => label.startsWith('with the word'))).toBe(true);
    expect(seen).toContain('tokne read as token');
    const page = await readFile(new URL('../../../docs/explain/explanations.md', import.meta.url), 'utf8');
    for (const label of lines) expect(page, label).toContain(`\`${label}\``);
  });

  test('break every lane down to numbers of the index', async () => {
    const { hits } = await INDEX.search('getUserById token', { explain: true });
    const labels = JSON.stringify(hits[0]!.explanation);
    for (const label of [
      'semantic',
      'keyword',
      'document',
      'title',
      'code',
      'cosine',
      'idf',
      'tf',
      'threshold',
    ]) {
      expect(labels).toContain(`"label":"${label}"`);
    }
  });

  test('are left out when nobody asks', async () => {
    const { hits } = await INDEX.search('token');
    expect(hits.every(({ explanation }) => explanation === undefined)).toBe(true);
  });

  test('are found wrong when one number is', () => {
    const sum = (value: number) => ({
      label: 'fused',
      value,
      parts: [
        { label: 'semantic', value: 0.5, weight: 0.4 },
        { label: 'keyword', value: 1, weight: 0.6 },
      ],
    });
    const weights = { semantic: 0.4, keyword: 0.6 };
    const wrong = (value: number, inForce: Record<string, number> = weights) => {
      const confidence = { label: 'confidence', value, parts: [{ label: 'threshold', value }] };
      return checkExplanation({ label: 'score', value, parts: [confidence, sum(value)] }, inForce);
    };
    // Lanes without parts are not known: nobody could redo them.
    const numbers = 2;
    expect(wrong(0.8)).toHaveLength(numbers);
    expect(wrong(0.81)).toHaveLength(numbers + 1);
    expect(wrong(0.8, { semantic: 0.5, keyword: 0.5 })).toHaveLength(numbers + 2);
    expect(checkExplanation({ label: 'a new stage', value: 1 }, weights)).toHaveLength(1);
  });
});
