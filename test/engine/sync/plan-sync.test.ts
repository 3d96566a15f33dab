/** The plan of a sync: which files are read, which documents go, and that nothing is left over. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DocfuseError } from '../../../src/core/errors.ts';
import type { DocumentRecord, Source } from '../../../src/core/ports.ts';
import type { FoundFile, FoundFiles } from '../../../src/engine/sync/list-files.ts';
import { type PlanOptions, planSync } from '../../../src/engine/sync/plan-sync.ts';

const collection = fc.constantFrom('notes', 'docs');
const path = fc.constantFrom('a.md', 'b.md', 'sub/a.md', 'sub/deep/b.md', 'subway.md');
const facts = fc.record({ size: fc.nat(2), modified: fc.nat(2), altered: fc.nat(1) });
/** Nothing is read while planning. */
const source = {} as Source;
const error = new DocfuseError('not_found', 'There is no folder.', 'Check the path.');

/** The fields that the plan looks at. */
function documentOf({ id, collection, file }: FoundFile): DocumentRecord {
  return { ...file, id, collection } as DocumentRecord;
}
const idOf = (document: { readonly id: string }) => document.id;
const file = fc.record({ collection, path, facts }).map(({ collection, path, facts }): FoundFile => {
  return { id: `${collection}/${path}`, collection, source, file: { path, ...facts } };
});
const stored = fc.uniqueArray(
  file.map((found) => documentOf(found)),
  { selector: idOf },
);
const reason = fc.constantFrom('unreadable', 'binary', 'too_large');
const skipped = fc.record({ collection, path: fc.constantFrom('a.md', 'sub', 'sub/deep'), reason });
const found: fc.Arbitrary<FoundFiles> = fc.record({
  files: fc.uniqueArray(file, { selector: idOf }).map((all) => new Map(all.map((each) => [each.id, each]))),
  skipped: fc.array(
    skipped.map(({ collection, path, reason }) => ({ path: `${collection}/${path}`, reason })),
    { maxLength: 2 },
  ),
  away: fc.subarray([{ collection: 'docs', error }]),
});
const options: fc.Arbitrary<PlanOptions> = fc.record({
  named: fc.subarray(['notes/a.md', 'docs/sub/a.md']).map((ids) => new Set(ids)),
  isStale: fc.subarray(['notes', 'docs']).map((stale) => (id: string) => stale.includes(id.split('/')[0]!)),
  notConverted: fc.constant({}),
});

const FRESH: PlanOptions = { named: new Set(), isStale: () => false, notConverted: {} };

it('reads every file or leaves it unchanged, and keeps, replaces or drops every document', () => {
  fc.assert(
    fc.property(found, stored, options, (listed, documents, given) => {
      const { reads, unchanged, gone } = planSync(listed, documents, given);
      expect(reads.length + unchanged).toBe(listed.files.size);
      expect(gone.filter(({ id }) => listed.files.has(id))).toEqual([]);
      for (const { found, before } of reads) {
        expect(before).toBe(documents.find(({ id }) => id === found.id));
      }
      const left = [...listed.files.values()].filter((each) => reads.every(({ found }) => found !== each));
      for (const { id, file } of left) {
        expect(documents.find((document) => document.id === id)).toMatchObject(file);
        expect(given.named.has(id) || given.isStale(id)).toBe(false);
      }
    }),
  );
});

it('drops what is in no folder any more, unless the folder or the document cannot be had now', () => {
  fc.assert(
    fc.property(found, stored, options, (listed, documents, given) => {
      const { gone } = planSync(listed, documents, given);
      const unreadable = listed.skipped.filter(({ reason }) => reason === 'unreadable');
      const isKept = ({ id, collection }: DocumentRecord) =>
        listed.files.has(id) ||
        listed.away.some((away) => away.collection === collection) ||
        unreadable.some(({ path }) => id === path || id.startsWith(`${path}/`));
      expect(gone).toEqual(documents.filter((document) => !isKept(document)));
    }),
  );
});

it('has nothing left to do once it is carried out', () => {
  fc.assert(
    fc.property(found, stored, options, (listed, documents, given) => {
      const { reads, gone } = planSync(listed, documents, given);
      const replaced = new Set([...reads.map(({ found }) => found.id), ...gone.map(idOf)]);
      const put = reads.map(({ found }) => documentOf(found));
      const after = [...documents.filter(({ id }) => !replaced.has(id)), ...put];
      const again = planSync(listed, after, FRESH);
      expect(again).toMatchObject({ reads: [], unchanged: listed.files.size, gone: [] });
    }),
  );
});
