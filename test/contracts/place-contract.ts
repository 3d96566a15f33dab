/** What every IndexPlace does, wherever its index lives. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { IndexPlace, Store } from '../../src/core/storage.ts';
import { sampleDocument } from '../adapters/store/sample.ts';

/** The place of an index that does not exist yet. */
export interface TestedPlace {
  readonly place: IndexPlace;
  /** Puts another, empty index there, as another process may. */
  replace(): void;
}

const MODEL = 'model-a';
const keyOf = (text: string) => `key:${text}`;
const pathsOf = (store: Store) => [...store.documents()].map(({ path }) => path);

export function placeContract(name: string, make: () => TestedPlace): void {
  describe(`Contract of a place: ${name}`, () => {
    let tested: TestedPlace;
    let place: IndexPlace;
    beforeEach(() => {
      tested = make();
      place = tested.place;
    });

    function use<T>(store: Store, work: (store: Store) => T): T {
      try {
        return work(store);
      } finally {
        store.close();
      }
    }
    const put = (...paths: readonly string[]) =>
      use(place.open(), (store) => {
        for (const path of paths) store.putDocument(sampleDocument(path, [`text of ${path}`]));
      });
    const held = () => use(place.openFrozen(), pathsOf);
    async function locked(work: () => void | Promise<void>): Promise<void> {
      const lock = await place.lock();
      try {
        await work();
      } finally {
        lock.release();
      }
    }

    it('says that there is no index, and makes none by being asked', () => {
      use(place.openEmpty(), (store) => store.putDocument(sampleDocument('a.md', ['one'])));
      expect(use(place.openEmpty(), pathsOf)).toEqual([]);
      expect([place.edition(), place.isOutdated(), place.unfinished()]).toEqual([
        undefined,
        false,
        undefined,
      ]);
      expect(place.origin()).toEqual({ roots: [], filled: [], mounts: [] });
      expect(place.edition()).toBeUndefined();
    });

    it('keeps what is written, for this and for the next opening', () => {
      put('a.md');
      use(place.open(), (store) => {
        expect(pathsOf(store)).toEqual(['a.md']);
        expect(store.readOnly).toBe(false);
      });
      expect(place.isOutdated()).toBe(false);
      expect(place.rights()).toEqual({ lockable: true, shared: [] });
    });

    it('says where the documents come from', () => {
      put('a.md', 'b.md');
      use(place.open(), (store) => store.setState({ roots: ['/notes'], mounts: ['notes/drive'] }));
      expect(place.origin()).toEqual({ roots: ['/notes'], filled: ['notes'], mounts: ['notes/drive'] });
    });

    it('has one edition until something is written, another meanwhile, and another after it', () => {
      put('a.md');
      const before = place.edition()!;
      expect(place.edition()).toEqual(before);
      const meanwhile = use(place.open(), (store) => {
        store.putDocument(sampleDocument('b.md', ['two']));
        return place.edition()!;
      });
      const after = place.edition()!;
      expect(new Set([before, meanwhile, after].map(({ written }) => written)).size).toBe(3);
      expect([meanwhile.identity, after.identity]).toEqual([before.identity, before.identity]);
      tested.replace();
      expect(place.edition()!.identity).not.toBe(before.identity);
      expect(held()).toEqual([]);
    });

    it('shows a frozen index as it was at its opening, and lets nobody write to it', () => {
      put('a.md');
      use(place.openFrozen(), (frozen) => {
        pathsOf(frozen);
        put('b.md');
        expect(pathsOf(frozen)).toEqual(['a.md']);
        expect(frozen.readOnly).toBe(true);
        expect(() => frozen.putDocument(sampleDocument('c.md', ['three']))).toThrow(
          expect.objectContaining({ code: 'storage' }),
        );
      });
      expect(held()).toEqual(['a.md', 'b.md']);
    });

    it('gives the lock to one at a time', async () => {
      const first = await place.lock();
      await expect(place.lock({ waitMs: 0 })).rejects.toMatchObject({ code: 'index_busy' });
      const reason = new Error('stopped');
      const stopped = new AbortController();
      const waiting = place.lock({ waitMs: 60_000, signal: stopped.signal });
      stopped.abort(reason);
      await expect(waiting).rejects.toBe(reason);
      const next = place.lock({ waitMs: 60_000 });
      first.release();
      first.release();
      const second = await next;
      first.release();
      await expect(place.lock({ waitMs: 0 })).rejects.toMatchObject({ code: 'index_busy' });
      second.release();
      (await place.lock({ waitMs: 0 })).release();
    });

    it.each([true, false])('renews an index, its vectors kept: %s', async (isKept) => {
      put('a.md', 'b.md');
      use(place.open(), (store) => {
        store.setState({ generation: 7 });
        const missing = store.missingVectors(MODEL, 9);
        store.putVectors(
          MODEL,
          missing.map(({ key }) => ({ key, vector: Float32Array.of(1, 0) })),
        );
      });
      await locked(() => place.renew(isKept ? { keyOf } : {}));
      expect(held()).toEqual([]);
      put('b.md');
      use(place.openFrozen(), (store) => {
        expect(store.missingVectors(MODEL, 9)).toHaveLength(isKept ? 0 : 1);
        expect(store.getState('generation')).toBeGreaterThan(7);
      });
      expect(place.unfinished()).toBeUndefined();
    });

    it('changes nothing if a renewal is stopped', async () => {
      put('a.md');
      const signal = AbortSignal.abort(new Error('stopped'));
      await expect(locked(() => place.renew({ keyOf, signal }))).rejects.toThrow('stopped');
      expect(held()).toEqual(['a.md']);
      expect(place.unfinished()).toBeUndefined();
      await locked(place.removeUnfinished);
      expect(held()).toEqual(['a.md']);
    });

    it('rewrites an index that is open; purge.test.ts holds that no removed text is left', async () => {
      put('a.md', 'b.md');
      const store = place.open();
      store.removeDocument([...store.documents()].find(({ path }) => path === 'a.md')!.number);
      await locked(place.rewrite);
      expect(pathsOf(store)).toEqual(['b.md']);
      store.close();
      expect(held()).toEqual(['b.md']);
    });
  });
}
