import { describe, expect, test } from 'vitest';
import { checkExplanation } from '../../support/check-explanation.ts';
import { memoryIndex } from '../../support/memory-services.ts';

const INDEX = memoryIndex([
  {
    path: 'tokens.md',
    text: '---\ntags: [security]\naliases: [keys]\ndescription: all about tokens\n---\n# Access tokens\n\nRotate a token `getUserById` with care; a token is a secret.\n\n```ts\ngetUserById(7)\n```\n',
    modified: Date.UTC(2026, 10, 20),
  },
  { path: 'fruit.md', text: '# Fruit\n\nApples and pears keep for weeks.\n' },
  { path: 'backups.md', text: '# Backups\n\nThe backup token is on a second disk. See [[tokens]].\n' },
]);
const QUERIES = [
  'rotate a token',
  'token*',
  'getUserById token',
  '"access tokens"',
  'title:backups token',
  'pears and pears',
];
const SETTINGS = [
  {},
  { fusion: 'rrf' as const },
  { dynamicWeightsEnabled: true },
  { adaptiveWeightsEnabled: false },
  { recencyBias: 1 },
  { mmrEnabled: true },
  { scoreCalibrationThreshold: 0.2, scoreCalibrationSteepness: 5 },
];

describe('explanations', () => {
  test.each(SETTINGS)('add up to the score with %j', async (settings) => {
    let count = 0;
    for (const query of QUERIES) {
      for (const mode of ['hybrid', 'keyword', 'semantic', 'code'] as const) {
        const { hits } = await INDEX.search(query, { mode, explain: true, settings });
        for (const { explanation, score } of hits) {
          count++;
          expect(explanation!.value).toBe(score);
          expect(checkExplanation(explanation!), `${query} by ${mode}`).toEqual([]);
        }
      }
    }
    expect(count).toBeGreaterThan(20);
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
    expect(checkExplanation(sum(0.8))).toEqual([]);
    expect(checkExplanation(sum(0.81))).toHaveLength(1);
  });
});
