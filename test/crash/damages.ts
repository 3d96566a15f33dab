/** What a power cut, a bad disk or another program may do to an index, each as a kind of damage. */
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/** @returns false when there is nothing of that kind to damage */
export type Damage = (file: string, random: () => number) => boolean;

const PAGE = 16_384;

/** All there are, SQLite's own numbering among them. */
export const TABLES = [
  ...['meta', 'documents', 'passages', 'chunks', 'chunk_bodies', 'parents', 'links', 'models', 'vectors'],
  ...['segments', 'pieces', 'vocabulary', 'sqlite_sequence'],
] as const;

/** By name. `file` is the index, which nobody has open. */
export const DAMAGES: Readonly<Record<string, Damage>> = {
  'log cut': (file, random) => cut(`${file}-wal`, random),
  'log spoilt': (file, random) => spoilFile(`${file}-wal`, random, noise),
  'shared memory spoilt': (file, random) => spoilFile(`${file}-shm`, random, noise),
  'database cut': (file, random) => settle(file) && cut(file, random),
  'database spoilt': (file, random) => settle(file) && spoilFile(file, random, noise),
  'database zeroed in part': (file, random) => settle(file) && spoilFile(file, random, zeros),
  'page zeroed': (file, random) => settle(file) && spoilPage(file, random, zeros),
  'page spoilt': (file, random) => settle(file) && spoilPage(file, random, noise),
  'page swapped': (file, random) => settle(file) && swapPages(file, random),
  'database empty': (file) => empty(file),
  'lock spoilt': (file, random) => spoilFile(`${file}.lock`, random, noise),
  'lock cut': (file, random) => cut(`${file}.lock`, random),
  ...Object.fromEntries(
    TABLES.flatMap((table): [string, Damage][] => [
      [`${table}: row lost`, (file, random) => loseRow(file, random, table)],
      [`${table}: row spoilt`, (file, random) => spoilRow(file, random, table)],
    ]),
  ),
};

/** Moves what the log holds into the database, so that damage to it is not undone by the log. */
function settle(file: string): boolean {
  return inDatabase(file, (database) => {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return true;
  });
}

/** Works on rows without the rules that keep them together; false where the tables have not been made yet. */
function inDatabase(file: string, work: (database: DatabaseSync) => boolean): boolean {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  try {
    return work(database);
  } catch {
    return false;
  } finally {
    database.close();
  }
}

function cut(file: string, random: () => number): boolean {
  if (!existsSync(file)) return false;
  truncateSync(file, Math.floor(random() * statSync(file).size));
  return true;
}

function empty(file: string): boolean {
  truncateSync(file, 0);
  return true;
}

type Spoil = (bytes: Uint8Array, at: number, random: () => number) => Uint8Array;

function spoilFile(file: string, random: () => number, spoil: Spoil): boolean {
  if (!existsSync(file) || statSync(file).size === 0) return false;
  const bytes = readFileSync(file);
  writeFileSync(file, spoil(bytes, Math.floor(random() * bytes.length), random));
  return true;
}

function spoilPage(file: string, random: () => number, spoil: Spoil): boolean {
  const bytes = readFileSync(file);
  const start = Math.floor((random() * bytes.length) / PAGE) * PAGE;
  bytes.set(
    spoil(bytes.subarray(start, start + PAGE), 0, () => 0.999),
    start,
  );
  writeFileSync(file, bytes);
  return true;
}

function swapPages(file: string, random: () => number): boolean {
  const bytes = readFileSync(file);
  const page = () => Math.floor((random() * bytes.length) / PAGE) * PAGE;
  const [one, other] = [page(), page()];
  const kept = bytes.slice(one, one + PAGE);
  bytes.copyWithin(one, other, other + PAGE);
  bytes.set(kept, other);
  writeFileSync(file, bytes);
  return one !== other;
}

/** Other bytes from `at` on: one, some, or up to 10,000. */
function noise(bytes: Uint8Array, at: number, random: () => number): Uint8Array {
  const spoilt = Uint8Array.from(bytes);
  const end = Math.min(bytes.length, at + 1 + Math.floor(random() ** 3 * 10_000));
  for (let place = at; place < end; place++)
    spoilt[place] = (spoilt[place]! + 1 + Math.floor(random() * 255)) & 255;
  return spoilt;
}

function zeros(bytes: Uint8Array, at: number, random: () => number): Uint8Array {
  return Uint8Array.from(bytes).fill(0, at, at + 1 + Math.floor(random() ** 2 * PAGE * 2));
}

/** Another value of the same type. */
function otherValue(value: unknown, type: string, random: () => number): SQLInputValue {
  if (value instanceof Uint8Array) {
    const at = Math.floor(random() * value.length);
    return random() < 0.3 ? value.slice(0, at) : noise(value, at, random);
  }
  if (typeof value === 'number') return value + (random() < 0.5 ? 1 : -1) * (1 + Math.floor(random() * 9));
  if (typeof value !== 'string' || value === '') return type === 'TEXT' || value === '' ? 'x' : 1;
  const at = Math.floor(random() * value.length);
  if (random() < 0.2) return value.slice(0, at);
  return `${value.slice(0, at)}${value[at] === '7' ? '8' : '7'}${value.slice(at + 1)}`;
}

interface Place {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** A row chosen by chance. */
  readonly row: Readonly<Record<string, SQLInputValue>>;
  /** SQL that is true of that row alone, with the values it asks for. */
  readonly where: string;
  readonly key: readonly SQLInputValue[];
}

function chooseRow(database: DatabaseSync, random: () => number, table: string): Place | undefined {
  const columns = database.prepare('SELECT name, type, pk FROM pragma_table_info(?)').all(table);
  const keys = columns.filter(({ pk }) => pk !== 0).map(({ name }) => String(name));
  if (keys.length === 0) keys.push('rowid');
  const rows = database.prepare(`SELECT ${keys.join()}, * FROM ${table} ORDER BY ${keys.join()}`).all();
  const row = rows[Math.floor(random() * rows.length)] as Place['row'] | undefined;
  if (!row) return undefined;
  const types = columns.map(({ name, type }) => ({ name: String(name), type: String(type) }));
  const where = keys.map((key) => `${key} = ?`).join(' AND ');
  return { columns: types, row, where, key: keys.map((key) => row[key]!) };
}

function loseRow(file: string, random: () => number, table: string): boolean {
  return inDatabase(file, (database) => {
    const place = chooseRow(database, random, table);
    if (!place) return false;
    database.prepare(`DELETE FROM ${table} WHERE ${place.where}`).run(...place.key);
    return true;
  });
}

function spoilRow(file: string, random: () => number, table: string): boolean {
  return inDatabase(file, (database) => {
    const place = chooseRow(database, random, table);
    if (!place) return false;
    const { name, type } = place.columns[Math.floor(random() * place.columns.length)]!;
    const value = otherValue(place.row[name], type, random);
    database.prepare(`UPDATE ${table} SET ${name} = ? WHERE ${place.where}`).run(value, ...place.key);
    return true;
  });
}
