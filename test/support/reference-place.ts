/** The IndexPlace port in memory: what every place of an index is compared with. Its stores are reference stores. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DocfuseError } from '../../src/core/errors.ts';
import type { Store } from '../../src/core/storage.ts';
import type { TestedPlace } from '../contracts/place-contract.ts';
import { createReferenceStore, type ReferenceStore } from './reference-store.ts';

const CHANGES = [
  ...['putDocument', 'touchDocument', 'removeDocument', 'putVectors', 'pruneVectors', 'setState', 'together'],
] as const;

export function createReferencePlace(): TestedPlace {
  let index: ReferenceStore | undefined;
  let isLocked = false;
  let [identity, written] = [0, 0];

  /** The store with something done before each change. */
  function before(store: Store, act: () => void): Store {
    const changes = CHANGES.map((name) => {
      const change = store[name as 'together'];
      return [name, (...given: Parameters<typeof change>) => [act(), change(...given)][1]] as const;
    });
    return { ...store, ...Object.fromEntries(changes) };
  }

  const place: TestedPlace['place'] = {
    name: 'an index in memory',
    edition: () => (index ? { identity: String(identity), written: String(written) } : undefined),
    isOutdated: () => false,
    origin: () => ({
      roots: index?.getState('roots') ?? [],
      filled: [...new Set([...(index?.documents() ?? [])].map(({ collection }) => collection))],
      mounts: index?.getState('mounts') ?? [],
    }),
    open() {
      index ??= createReferenceStore();
      const changed = () => void written++;
      return { ...before(index, changed), close: changed };
    },
    openFrozen() {
      const refuse = () => {
        throw new DocfuseError('storage', 'The index is open for reading alone.', 'Open it again.');
      };
      return { ...before(index!.copy(), refuse), readOnly: true };
    },
    openEmpty: () => createReferenceStore(),
    async lock({ waitMs = 2_000, signal } = {}) {
      for (const deadline = Date.now() + waitMs; isLocked; await sleep(5)) {
        signal?.throwIfAborted();
        if (Date.now() >= deadline)
          throw new DocfuseError('index_busy', 'Another call writes to the index.', 'Try again.');
      }
      isLocked = true;
      let isOwn = true;
      return {
        release() {
          if (isOwn) isLocked = false;
          isOwn = false;
        },
      };
    },
    async renew({ keyOf, signal, onProgress } = {}) {
      signal?.throwIfAborted();
      index = index?.renewed(keyOf);
      onProgress?.(1, 1);
    },
    rewrite: async () => {},
    unfinished: () => undefined,
    removeUnfinished() {},
    rights: () => ({ lockable: true, shared: [] }),
  };
  return {
    place,
    replace() {
      index = createReferenceStore();
      identity++;
    },
  };
}
