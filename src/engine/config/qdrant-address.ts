/** Reads the address of an index in Qdrant, such as `qdrant://host:6333/name`. */
import { DocfuseError } from '../../core/errors.ts';

export interface QdrantAddress {
  /** `http://` or `https://` with host and port. */
  readonly url: string;
  readonly name: string;
}

const SCHEMES: Readonly<Record<string, string>> = { 'qdrant:': 'http:', 'qdrant+https:': 'https:' };

/** Undefined for a path. @throws DocfuseError `config` for a wrong address, and for an address with a key */
export function readQdrantAddress(text: string): QdrantAddress | undefined {
  const scheme = /^qdrant(?:\+https)?:(?=\/\/)/.exec(text)?.[0];
  if (scheme === undefined) return undefined;
  const url = URL.parse(SCHEMES[scheme] + text.slice(scheme.length));
  const name = url?.pathname.slice(1) ?? '';
  if (url?.username || url?.password || url?.search)
    throw new DocfuseError(
      'config',
      'The address of an index in Qdrant holds a key, which others could read.',
      'Leave it out, and put the key into the environment variable that qdrant.api_key_env names.',
    );
  if (!url?.hostname || !isCollectionName(name))
    throw new DocfuseError(
      'config',
      'The address of the index in Qdrant is wrong.',
      'Write it like qdrant://127.0.0.1:6333/docfuse, or qdrant+https://host/docfuse.',
    );
  return { url: `${url.protocol}//${url.host}`, name };
}

function isCollectionName(name: string): boolean {
  return /^[\w-]{1,100}$/.test(name);
}
