/** What each stage made of a score, read off explanations of real searches. */
import { expect, test } from 'vitest';
import { LEAD, STEPS, stagesOf } from '../../../src/surfaces/web/explanation.tsx';
import { createVault } from '../../engine/vault.ts';
import { KNOWN_LABELS } from '../../support/check-explanation.ts';

test('an exact match is told, with the numbers before it', async () => {
  const index = await createVault({
    'keys.md': '# Keys\n\n## Rotating the keys\n\nPress the button.\n',
    'rest.md': '# Rest\n\nKeys are rotated in another place.\n',
  }).open();
  await index.sync({ embed: false });
  const { hits } = await index.search('Rotating the keys', {
    ...{ mode: 'keyword', explain: true, minConfidence: 0 },
  });
  const { parts = [] } = hits[0]!.explanation!;
  expect(stagesOf({ parts: [...parts] }).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['What matched', 'Raised for an exact match']),
  );
  expect(parts.map(({ label }) => label)).toContain(LEAD);
});

test('a number inside another step is found, such as that of a second model', () => {
  const parts = [
    { label: 'fused', value: 0.5 },
    { label: 'confidence of the new rank', value: 0.9, parts: [{ label: 'reranked by', value: 0.7 }] },
  ];
  expect(stagesOf({ parts })).toEqual([
    { name: 'What matched', value: 0.5, stage: 'shared' },
    { name: 'Read again by a second model', value: 0.7, stage: 'own' },
  ]);
});

const stages = Object.keys(STEPS).filter((label) => STEPS[label]!.stage);
test.each(stages)('the search still calls a step “%s”', (label) => {
  expect(KNOWN_LABELS).toContain(label);
});
