/** The typed state of an index: each fact is stored as JSON under its name. */
import type { DatabaseSync } from 'node:sqlite';
import type { IndexState, StateStore } from '../../core/storage.ts';
import { requireKnownFormat } from './format.ts';
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

export function stateTable(database: DatabaseSync): StateStore {
  const facts = factTable(database);

  /** Checks the format first: every search and every run begins by reading a fact. */
  function read(name: keyof IndexState): string | undefined {
    requireKnownFormat(database);
    return facts.get(name);
  }

  return {
    getState(name) {
      const found = read(name);
      return found === undefined ? undefined : JSON.parse(found);
    },
    hasState: (name) => read(name) !== undefined,
    setState(changes) {
      transaction(database, () => {
        for (const [name, value] of Object.entries(changes)) facts.set(name, JSON.stringify(value));
      });
    },
  };
}
