/** A connection to Qdrant: loads the optional client, repeats failed requests, and says in plain words what failed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import { DocfuseError, notInstalled } from '../../core/errors.ts';
import { isBusy, reasonOf } from '../remote/request.ts';

export type { Schemas };

export interface QdrantPlace {
  /** `http://` or `https://` with host and port, without a key. */
  readonly url: string;
  /** Alias of the published collection. */
  readonly name: string;
  readonly apiKey?: string | undefined;
  /** Environment variable that holds the key, for error messages. */
  readonly apiKeyEnv: string;
}

export type QdrantConnection = Awaited<ReturnType<typeof connectQdrant>>;

/** Pauses before a request is repeated, in milliseconds. */
const PAUSES = [200, 1_000, 4_000];
const TIMEOUT_MS = 60_000;

/** @throws DocfuseError `package_missing` without the client */
export async function connectQdrant(place: QdrantPlace) {
  const { url, apiKey } = place;
  const { protocol, hostname, port } = new URL(url);
  const loaded = await import('@qdrant/js-client-rest').catch(
    notInstalled('An index in Qdrant needs', '@qdrant/js-client-rest'),
  );
  const client: QdrantClient = new loaded.QdrantClient({
    host: hostname,
    https: protocol === 'https:',
    port: port === '' ? (protocol === 'https:' ? 443 : 6333) : Number(port),
    // Send the key as a header: with the option `apiKey`, the client prints a warning if the connection is not encrypted.
    ...(apiKey && { headers: { 'api-key': apiKey } }),
    timeout: TIMEOUT_MS,
    checkCompatibility: false,
  });
  return {
    place,
    /**
     * Sends a request, and repeats it if the server is away or busy.
     * @throws DocfuseError `remote`, `index_missing` if the collection is missing; after an abort, the reason of `signal`
     */
    async call<T>(send: (client: QdrantClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
      for (let attempt = 0; ; attempt++) {
        signal?.throwIfAborted();
        try {
          return await send(client);
        } catch (error) {
          const pause = PAUSES[attempt];
          if (pause === undefined || !mayPass(error)) throw explained(error, place);
          await sleep(pause, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
        }
      }
    },
  };
}

/** Status of an answer that refuses a request; undefined if there was no answer. */
export function statusOf(error: unknown): number | undefined {
  const { status } = error as { readonly status?: unknown };
  return typeof status === 'number' ? status : undefined;
}

/** Whether another attempt may succeed. */
function mayPass(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || isBusy(status);
}

function explained(error: unknown, { url, name, apiKey, apiKeyEnv }: QdrantPlace): DocfuseError {
  const status = statusOf(error);
  const host = new URL(url).host;
  const failed = (message: string, remedy: string) =>
    new DocfuseError('remote', message, remedy, { cause: error });
  if (status === undefined) {
    const { message, code } = reasonOf(error);
    return failed(
      `Qdrant at ${host} does not answer: ${message || code || String(error)}.`,
      'Start the server, or correct its address. To continue a publication, run docfuse index.',
    );
  }
  if (status === 401 || status === 403)
    return failed(
      apiKey
        ? `Qdrant at ${host} refuses the key in ${apiKeyEnv} (${status}).`
        : `Qdrant at ${host} needs a key, but the environment variable ${apiKeyEnv} is not set (${status}).`,
      `Put a key that may use the collection ${name} into ${apiKeyEnv}.`,
    );
  if (status === 404) return notPublished({ url, name }, error);
  return failed(
    `Qdrant at ${host} refuses a request (${status}): ${saidIn(error)}.`,
    isBusy(status) ? 'Try again later.' : 'Check that the server has version 1.16 or newer.',
  );
}

export function notPublished(
  { url, name }: Pick<QdrantPlace, 'url' | 'name'>,
  cause?: unknown,
): DocfuseError {
  return new DocfuseError(
    'index_missing',
    `Qdrant at ${new URL(url).host} has no published index ${name}.`,
    'Publish it where the documents are: set qdrant.url there, and run docfuse index.',
    { cause },
  );
}

function saidIn(error: unknown): string {
  const { data } = error as { readonly data?: { readonly status?: { readonly error?: string } } };
  return (data?.status?.error ?? (error as Error).message)
    .replace(/\s+/g, ' ')
    .slice(0, 300)
    .replace(/\.$/, '');
}
