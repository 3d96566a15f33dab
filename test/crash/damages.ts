/** What a power cut, a bad disk or another program may do to an index, each as a kind of damage. */
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** @returns false when there is nothing of that kind to damage */
export type Damage = (file: string, random: () => number) => boolean;

const PAGE = 16_384;
const LINK_FACTS = ['edges', 'communities', 'links_of'];

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
  'segment cut': (file, random) => changeBlob(file, random, 'segments', 'bytes', 'id', shorter),
  'segment spoilt': (file, random) => changeBlob(file, random, 'segments', 'bytes', 'id', noise),
  'segment missing': (file, random) => deleteRow(file, random, 'segments'),
  'vector spoilt': (file, random) => changeBlob(file, random, 'vectors', 'vector', 'number', noise),
  'vector cut': (file, random) => changeBlob(file, random, 'vectors', 'vector', 'number', shorter),
  'vector missing': (file, random) => deleteRow(file, random, 'vectors'),
  'vocabulary spoilt': (file, random) => changeBlob(file, random, 'vocabulary', 'vector', 'number', noise),
  'link facts spoilt': (file, random) => spoilFact(file, random, digits),
  'link facts cut': (file, random) => spoilFact(file, random, (text, at) => text.slice(0, at)),
  'fact missing': (file, random) => deleteRow(file, random, 'meta'),
  'document missing': (file, random) => deleteRow(file, random, 'documents'),
  'passage missing': (file, random) => deleteRow(file, random, 'chunks'),
  'text missing': (file, random) => deleteRow(file, random, 'chunk_bodies'),
  'text spoilt': (file, random) => spoilText(file, random),
  'link missing': (file, random) => deleteRow(file, random, 'links'),
  'lock spoilt': (file, random) => spoilFile(`${file}.lock`, random, noise),
  'lock cut': (file, random) => cut(`${file}.lock`, random),
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

function shorter(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.slice(0, at);
}

function digits(text: string, at: number, random: () => number): string {
  const other = String(Math.floor(random() * 10));
  const place = text.slice(at).search(/\d/) + at;
  return place < at || text[place] === other ? '[' : text.slice(0, place) + other + text.slice(place + 1);
}

function changeBlob(
  file: string,
  random: () => number,
  table: string,
  column: string,
  key: string,
  change: Spoil,
): boolean {
  return inDatabase(file, (database) => {
    const rows = database.prepare(`SELECT ${key} AS key, ${column} AS bytes FROM ${table}`).all();
    const row = rows[Math.floor(random() * rows.length)];
    if (!row) return false;
    const bytes = row.bytes as Uint8Array;
    const changed = change(bytes, Math.floor(random() * bytes.length), random);
    database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`).run(changed, row.key!);
    return true;
  });
}

function spoilText(file: string, random: () => number): boolean {
  return inDatabase(file, (database) => {
    const rows = database.prepare('SELECT slot, text FROM chunk_bodies').all();
    const row = rows[Math.floor(random() * rows.length)];
    if (!row) return false;
    const text = row.text as string;
    const at = Math.floor(random() * text.length);
    const changed = `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`;
    database.prepare('UPDATE chunk_bodies SET text = ? WHERE slot = ?').run(changed, row.slot!);
    return true;
  });
}

function spoilFact(
  file: string,
  random: () => number,
  spoil: (text: string, at: number, random: () => number) => string,
): boolean {
  return inDatabase(file, (database) => {
    const key = LINK_FACTS[Math.floor(random() * LINK_FACTS.length)]!;
    const text = database.prepare('SELECT value FROM meta WHERE key = ?').get(key)?.value as
      | string
      | undefined;
    if (!text) return false;
    const changed = spoil(text, Math.floor(random() * text.length), random);
    database.prepare('UPDATE meta SET value = ? WHERE key = ?').run(changed, key);
    return true;
  });
}

function deleteRow(file: string, random: () => number, table: string): boolean {
  return inDatabase(file, (database) => {
    const key = table === 'meta' ? 'key' : table === 'links' ? 'document * 100000 + ordinal' : 'rowid';
    const rows = database.prepare(`SELECT ${key} AS key FROM ${table}`).all();
    const row = rows[Math.floor(random() * rows.length)];
    if (!row) return false;
    database.prepare(`DELETE FROM ${table} WHERE ${key} = ?`).run(row.key!);
    return true;
  });
}
