/** The typed state of an index: each fact is stored as JSON under its name. */
import type { DatabaseSync } from 'node:sqlite';
import type { IndexState, StateStore } from '../../core/storage.ts';
import { formatOf, requireKnownFormat } from './format.ts';
import { rowChecksum } from './row-checksum.ts';
import { transaction } from './transaction.ts';

/** Stores texts under keys, each with its checksum. A caller of `set` must be in a transaction. */
export function factTable(database: DatabaseSync) {
  const select = database.prepare('SELECT value, checksum FROM meta WHERE key = ?');
  const upsert = database.prepare(
    `INSERT INTO meta (key, value, checksum) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, checksum = excluded.checksum`,
  );
  return {
    /** Undefined if the fact is missing or damaged. */
    get(key: string): string | undefined {
      const { value, checksum } = select.get(key) ?? {};
      return value !== undefined && rowChecksum(key, value as string) === checksum
        ? (value as string)
        : undefined;
    },
    set: (key: string, value: string) => void upsert.run(key, value, rowChecksum(key, value)),
  };
}

/** Facts that every search reads. */
const READ_OFTEN: ReadonlySet<keyof IndexState> = new Set(['generation', 'roots']);

export function stateTable(database: DatabaseSync): StateStore {
  const facts = factTable(database);
  const format = formatOf(database);
  const otherWrites = database.prepare('PRAGMA data_version');
  /** Values of the facts in `READ_OFTEN`, kept until the next write. Empty inside a transaction, which may be rolled back. */
  const known = new Map<keyof IndexState, unknown>();
  let version: unknown;

  function read<Key extends keyof IndexState>(name: Key): IndexState[Key] | undefined {
    requireKnownFormat(database, format); // checked here because every search and every run reads a fact first
    const found = facts.get(name);
    return found === undefined ? undefined : (JSON.parse(found) as IndexState[Key]);
  }

  return {
    getState(name) {
      if (!READ_OFTEN.has(name)) return read(name);
      const now = otherWrites.get()?.data_version;
      if (now !== version || database.isTransaction) known.clear();
      version = now;
      if (known.has(name)) return known.get(name) as ReturnType<typeof read<typeof name>>;
      const found = read(name);
      if (!database.isTransaction) known.set(name, found);
      return found;
    },
    hasState(name) {
      requireKnownFormat(database, format);
      return facts.get(name) !== undefined;
    },
    setState(changes) {
      known.clear();
      transaction(database, () => {
        for (const [name, value] of Object.entries(changes)) facts.set(name, JSON.stringify(value));
      });
    },
  };
}
