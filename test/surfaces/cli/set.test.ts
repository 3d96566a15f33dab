import { expect, test } from 'vitest';
import { parseSettings } from '../../../src/surfaces/cli/open-options.ts';

test('values take the type of their setting', () => {
  const settings = [
    ...['search.fusion=rrf', 'top_n=7', 'chunking.parent_retrieval_enabled=false'],
    'embedding.model=./x=y',
  ];
  expect(parseSettings(settings)).toEqual({
    search: { fusion: 'rrf', top_n: 7 },
    chunking: { parent_retrieval_enabled: false },
    embedding: { model: './x=y' },
  });
});

test('settings of an inner section go into it, with or without its name', () => {
  expect(parseSettings(['search.advanced.min_factor=0.2', 'variance_threshold=0.05', 'top_n=3'])).toEqual({
    search: { top_n: 3, advanced: { min_factor: 0.2, variance_threshold: 0.05 } },
  });
});

test('a setting of several types takes either', () => {
  const candidates = (value: string) => parseSettings([`candidates=${value}`]).search?.advanced?.candidates;
  expect([candidates('50'), candidates('dynamic')]).toEqual([50, 'dynamic']);
  expect(() => parseSettings(['candidates=many'])).toThrow('search.advanced.candidates');
});

test.each([
  [
    'search.advanced.min_facter=1',
    'no setting search.advanced.min_facter',
    'Did you mean search.advanced.min_factor?',
  ],
  ['min_factor=2', 'search.advanced.min_factor', 'Minimum share'],
  ['fusoin=rrf', 'no setting fusoin', 'Did you mean fusion?'],
  ['search.fusoin=rrf', 'no setting search.fusoin', 'Did you mean search.fusion?'],
  ['expansion=true', 'no setting expansion', 'Did you mean query_expansion_enabled?'],
  ['model=./x', 'More than one setting is called model', 'Write embedding.model or answer.model.'],
  ['nonsense=1', 'no setting nonsense', 'docfuse config lists'],
  ['fusion', 'no value', '--set search.fusion=VALUE'],
  ['fusion=rff', 'search.fusion', 'How to merge rankings'],
  ['top_n=abc', 'search.top_n', 'Hits to return'],
  ['top_n=1000', 'search.top_n', 'Hits to return'],
])('%s is refused', (assignment, message, remedy) => {
  expect(() => parseSettings([assignment])).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: expect.stringContaining(message),
      remedy: expect.stringContaining(remedy),
    }),
  );
});
