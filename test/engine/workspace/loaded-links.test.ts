import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import { catalogDocument, createCatalog } from '../../../src/core/indexes/catalog.ts';
import { loadLinks } from '../../../src/engine/workspace/loaded-links.ts';
import { sampleDocument } from '../../adapters/store/sample.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Links over a real store. Each look at the clock takes a millisecond. */
function linksOfStore() {
  const store = openSqliteStore(join(temporaryFolder(), 'index.sqlite'));
  onTestFinished(store.close);
  const catalog = createCatalog();
  let time = 0;
  const clock = { now: () => 0, monotonic: () => time++ };
  const links = loadLinks(store, () => catalog, clock);
  return {
    store,
    links,
    /** Puts a document that links to another. */
    put(path: string, target: string) {
      const document = {
        ...sampleDocument(path, []),
        links: [{ kind: 'wikilink', target, line: 1 } as const],
      };
      links.follow();
      const { number } = store.putDocument(document);
      catalog.addDocument(catalogDocument({ ...document, ...document.fields, number }), []);
      links.put(catalog.document(number)!, () => store.linksOf(number));
      return number;
    },
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

it.each([
  ['after a run', true],
  ['in a first run', false],
])('finds links again only after a while where documents change all the time: %s', (_, settles) => {
  const { store, links, put, wait } = linksOfStore();
  const a = put('a.md', 'b');
  if (settles) links.settle();
  put('x.md', 'a');
  expect([links.graph().count(a, 'out'), links.graph().countBroken()]).toEqual([0, 1]);
  put('b.md', 'gone');
  const before = links.graph();
  expect([before.count(a, 'out'), before.countBroken()]).toEqual([0, 1]);
  wait(20);
  expect([links.graph().count(a, 'out'), links.graph().countBroken()]).toEqual([1, 1]);
  expect(links.graph()).toBe(links.graph());
  put('c.md', 'a');
  links.settle();
  expect(links.graph().count(a, 'in')).toBe(2);
  expect(store.getState('linkEdges')!.linked).toHaveLength(3 * 4);
});
