/** Reads the address of an index on a server, such as `qdrant://host:6333/name` or `postgres://host/database`. */
import type * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';

export interface PublishedAddress {
  readonly engine: 'qdrant' | 'postgres';
  /** For Qdrant: `http://` or `https://` with host and port. For PostgreSQL: `postgres://` with user, host, port and database. */
  readonly url: string;
  readonly name: string;
  /** The address as users type it, without a user name. */
  readonly shown: string;
}

/** Name of the publication if the address gives none. */
const NAME = 'docfuse';
const SCHEMES: Readonly<Record<string, string>> = { qdrant: 'http:', 'qdrant+https': 'https:' };
/** Matches `name:/` at the start; the drive of a path has one letter. */
const SCHEME = /^\s*([a-z][a-z\d+.-]+):\//i;

/** Returns the scheme of an address, such as `postgres`; undefined for a path. */
export function schemeOf(text: string): string | undefined {
  return SCHEME.exec(text)?.[1]?.toLowerCase();
}

/**
 * @returns undefined if the text is a path
 * @throws DocfuseError `config` for a wrong address, and for an address with a key or password. No part of it is repeated but the
 *   scheme: a folder of that name, or the message, would show the password to others
 */
export function readPublishedAddress(text: string): PublishedAddress | undefined {
  const scheme = schemeOf(text);
  if (scheme === undefined) return undefined;
  if (isPostgres(text)) {
    const { name, place } = readPostgresUrl(text);
    if (!isName(name)) throw wrong('PostgreSQL', 'postgres://127.0.0.1:5432/DATABASE?name=docfuse');
    const { host, pathname } = new URL(place);
    return { engine: 'postgres', url: place, name, shown: `postgres://${host}${pathname}?name=${name}` };
  }
  if (!Object.hasOwn(SCHEMES, scheme))
    throw new DocfuseError(
      'config',
      `No index has an address with ${scheme}://.`,
      'Name a folder, qdrant://HOST:6333/NAME, qdrant+https://HOST/NAME or postgres://HOST/DATABASE?name=NAME.',
    );
  const url = URL.parse(text.replace(/^.*?:/s, SCHEMES[scheme]!));
  const name = url?.pathname.slice(1) ?? '';
  if (url?.username || url?.password || url?.search)
    throw new DocfuseError(
      'config',
      'The address of an index in Qdrant holds a key, which others could read.',
      'Leave it out, and put the key into the environment variable that qdrant.api_key_env names.',
    );
  if (!url?.hostname || !isName(name))
    throw wrong('Qdrant', 'qdrant://127.0.0.1:6333/docfuse, or qdrant+https://host/docfuse');
  return {
    engine: 'qdrant',
    url: `${url.protocol}//${url.host}`,
    name,
    shown: `${scheme}://${url.host}/${name}`,
  };
}

/**
 * Reads an address such as `postgres://user@host:5432/database?name=handbook&sslmode=require`.
 * @returns `place`: the address without the name; `name`: the name of the publication, `docfuse` if the address gives none
 * @throws DocfuseError `config`; a password is not repeated in the message
 */
export function readPostgresUrl(text: string): { readonly place: string; readonly name: string } {
  const url = isPostgres(text) ? URL.parse(text) : null;
  const { name = NAME, sslmode, password, ...others } = Object.fromEntries(url?.searchParams ?? []);
  if (url?.password || password !== undefined)
    throw new DocfuseError(
      'config',
      'The address of an index in PostgreSQL holds a password, which others could read.',
      'Leave it out, and put the password into the environment variable that postgres.password_env names, or into ~/.pgpass.',
    );
  const isMode = sslmode === undefined || ['disable', 'require', 'verify-full'].includes(sslmode);
  if (!url?.hostname || !/^\/[^/]+$/.test(url.pathname) || !isMode || Object.keys(others).length > 0)
    throw wrong('PostgreSQL', 'postgres://USER@127.0.0.1:5432/DATABASE?name=docfuse');
  const user = url.username && `${url.username}@`;
  const place = `postgres://${user}${url.host}${url.pathname}${sslmode ? `?sslmode=${sslmode}` : ''}`;
  return { place, name };
}

/** Whether a text is the address of a Qdrant server, without a key. */
export function isQdrantServer(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search;
}

/** Returns a check of a setting, which reports the error of `read` and its remedy. */
export function refusedBy(read: (text: string) => unknown) {
  return (text: string, context: z.core.$RefinementCtx<string>): void => {
    try {
      read(text);
    } catch (error) {
      const { message, remedy } = error as DocfuseError;
      context.addIssue({ code: 'custom', message: message.replace(/\.$/, ''), params: { remedy } });
    }
  };
}

interface ConnectionSettings {
  readonly password_env: string;
  readonly connections: number;
  readonly readers: readonly string[];
}

/** Adds to an address of a publication what the settings say about connections. */
export function withPassword(
  { url, name }: Pick<PublishedAddress, 'url' | 'name'>,
  { password_env: passwordEnv, connections, readers }: ConnectionSettings,
) {
  return { url, name, passwordEnv, password: process.env[passwordEnv], connections, readers };
}

const isPostgres = (text: string) => /^postgres(?:ql)?$/.test(schemeOf(text) ?? '');

function isName(name: string): boolean {
  return /^[\w-]{1,100}$/.test(name);
}

function wrong(engine: string, example: string): DocfuseError {
  return new DocfuseError(
    'config',
    `The address of the index in ${engine} is wrong.`,
    `Write it like ${example}.`,
  );
}
