/** The typed state of an index, as texts under keys. */
import type { DatabaseSync } from 'node:sqlite';
import type { IndexState, SavedCommunities, StateStore } from '../../core/storage.ts';
import { formatOf, requireKnownFormat } from './format.ts';
import { rowChecksum } from './row-checksum.ts';
import { transaction } from './transaction.ts';

/** How one fact is written as text. */
interface Field<T> {
  /** Under this key it stands in the table. */
  readonly key: string;
  readonly write: (value: T) => string;
  /** Undefined for an invalid text. */
  readonly read: (text: string) => T | undefined;
}

const FIELDS: { readonly [Key in keyof IndexState]: Field<IndexState[Key]> } = {
  generation: { key: 'generation', write: String, read: toNumber },
  updated: text('updated'),
  roots: json('roots', isTexts),
  skipped: json('skipped', isSkipped),
  mounts: json('mounts', isTexts),
  model: text('model'),
  modelName: text('model_name'),
  fingerprint: text('recipe'),
  staleDocuments: json('unread', isTexts),
  readingError: text('last_error'),
  embeddingError: text('embedding_error'),
  verified: { key: 'verified', write: String, read: toNumber },
  analysis: text('analysis'),
  vocabularySource: text('vocabulary_of'),
  edges: json('edges', isEdges),
  communities: json('communities', isCommunities),
  linksSource: text('links_of'),
};

/** Texts under keys, each with its checksum. Change them inside a transaction. */
export interface Facts {
  /** Undefined also for one that is damaged. */
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

export function factTable(database: DatabaseSync): Facts {
  const select = database.prepare('SELECT value, checksum FROM meta WHERE key = ?');
  const upsert = database.prepare(
    `INSERT INTO meta (key, value, checksum) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, checksum = excluded.checksum`,
  );
  return {
    get(key) {
      const { value, checksum } = select.get(key) ?? {};
      return value !== undefined && rowChecksum(key, value as string) === checksum
        ? (value as string)
        : undefined;
    },
    set: (key, value) => void upsert.run(key, value, rowChecksum(key, value)),
  };
}

export function stateTable(database: DatabaseSync): StateStore {
  const facts = factTable(database);
  const format = formatOf(database);
  const otherWrites = database.prepare('PRAGMA data_version');
  /** What every search asks for, until somebody writes; empty in a transaction, which may be undone. */
  const known = new Map<keyof IndexState, unknown>();
  let version: unknown;

  function read<Key extends keyof IndexState>(name: Key): IndexState[Key] | undefined {
    requireKnownFormat(database, format); // every search and every run begins with a fact
    const found = facts.get(FIELDS[name].key);
    return found === undefined ? undefined : FIELDS[name].read(found);
  }

  return {
    getState(name) {
      if (!ASKED_OFTEN.has(name)) return read(name);
      const now = otherWrites.get()?.data_version;
      if (now !== version || database.isTransaction) known.clear();
      version = now;
      if (known.has(name)) return known.get(name) as ReturnType<typeof read<typeof name>>;
      const found = read(name);
      if (!database.isTransaction) known.set(name, found);
      return found;
    },
    setState(changes) {
      known.clear();
      transaction(database, () => {
        for (const name of Object.keys(changes) as (keyof IndexState)[]) write(name);
      });
      function write<Key extends keyof IndexState>(name: Key): void {
        const { key, write } = FIELDS[name] as Field<IndexState[Key]>;
        facts.set(key, write(changes[name]!));
      }
    },
  };
}

const ASKED_OFTEN: ReadonlySet<keyof IndexState> = new Set(['generation', 'roots']);

function text(key: string): Field<string> {
  return { key, write: (value) => value, read: (value) => value };
}

function json<T>(key: string, isSound: (value: unknown) => value is T): Field<T> {
  return {
    key,
    write: JSON.stringify,
    read(value) {
      try {
        const parsed: unknown = JSON.parse(value);
        return isSound(parsed) ? parsed : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

function toNumber(value: string): number | undefined {
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isSkipped(value: unknown): value is IndexState['skipped'] {
  return (
    Array.isArray(value) &&
    value.every((each) => typeof each?.path === 'string' && typeof each.reason === 'string')
  );
}

function isEdges(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length % 3 === 0 && value.every(Number.isFinite);
}

function isCommunities(value: unknown): value is SavedCommunities {
  const { edges, members } = (value ?? {}) as Partial<SavedCommunities>;
  return typeof edges === 'string' && Array.isArray(members) && members.every(isTexts);
}
