/** The graph of the map. */
import { expect, test } from 'vitest';
import { graphOf } from '../../../src/surfaces/web/map/map-graph.ts';

test('documents that share a title are told apart by their folders', () => {
  const ids = ['notes/guide/index.md', 'notes/api/index.md', 'notes/api/keys.md', 'index.md'];
  const titles = ['Index', 'Index', 'Keys', 'Index'];
  const none = ids.map(() => 0);
  const documents = { ids, titles, neighbours: none, communities: none, x: none, y: none };
  const graph = graphOf({ documents, links: { sources: [], targets: [] } } as never);
  expect(ids.map((id) => graph.getNodeAttribute(id, 'label'))).toEqual([
    'Index (guide)',
    'Index (api)',
    'Keys',
    'Index',
  ]);
});
