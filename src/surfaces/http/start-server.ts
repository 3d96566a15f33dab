/** Starts a server that keeps an index and its model open for many clients, and writes its discovery file. */
import { randomBytes } from 'node:crypto';
import { DocfuseError } from '../../core/errors.ts';
import { defined } from '../../core/model/defined.ts';
import type { DocumentChange, OpenOptions, SyncProgress } from '../../engine/api.ts';
import { checkOptions } from '../../engine/check-options.ts';
import { noIndexOf } from '../../engine/check-roots.ts';
import { embeddingTraits } from '../../engine/config/embedding-traits.ts';
import { digestConfig, locateIndex } from '../../engine/config/locate-index.ts';
import { isLoopback } from '../../engine/config/web-names.ts';
import { open, placeOfIndex } from '../../engine/open.ts';
import { lendIndex, readOnlyIndex, warmUp } from '../../engine/shared-index.ts';
import { VERSION } from '../../engine/version.ts';
import { type KeepFreshOptions, keepFresh } from '../../engine/watch/keep-fresh.ts';
import {
  addressOf,
  type DiscoveryFile,
  hostInUrl,
  processStart,
  readDiscoveryFile,
  removeDiscoveryFile,
  writeDiscoveryFile,
} from '../attach/discovery-file.ts';
import { answers } from '../attach/send-request.ts';
import { attachKey, proofOf } from '../attach/server-proof.ts';
import { makeServerSecret } from '../attach/server-secret.ts';
import { createMcpServerFactory } from '../mcp/create-mcp-server.ts';
import type { OperationContext } from '../operations/operation.ts';
import type { Limits } from './bounded-run.ts';
import { type Answered, createServer, type ServerOptions } from './create-server.ts';
import { createEventLog, throttle } from './event-log.ts';
import { LOOPBACK_HOSTS } from './guard.ts';
import { type Listener, listen } from './listen.ts';
import { createMetrics } from './metrics.ts';

export interface StartOptions {
  readonly open: OpenOptions;
  /** @default settings.server.host */
  readonly host?: string;
  /** @default settings.server.port */
  readonly port?: number;
  /** Token that clients must send. @default the environment variable named by settings.server.token_env */
  readonly token?: string;
  readonly limits?: Limits;
  readonly asText?: ServerOptions['asText'];
  readonly onProgress?: (progress: SyncProgress) => void;
  readonly onChanges?: (changes: readonly DocumentChange[]) => void;
  /** Let the page save grades of hits. @default settings.server.judge */
  readonly judge?: boolean;
  /** Compare all files every few seconds instead of watching them for changes. @default false */
  readonly poll?: boolean;
  /** Only answer: read no files, make no vectors, publish nothing. Others write the index. @default false */
  readonly readOnly?: boolean;
  /** Offer metrics for Prometheus at `/metrics`; needs the package `prom-client`. @default false */
  readonly metrics?: boolean;
  readonly onAnswer?: (answered: Answered) => void;
  readonly onReady?: KeepFreshOptions['onReady'];
  readonly onWarning?: KeepFreshOptions['onWarning'];
  /** Called when bringing the index up to date fails; the server continues. */
  readonly onFailure?: (error: unknown) => void;
}

export interface RunningServer {
  readonly url: string;
  readonly indexPath: string;
  /** Refuses new requests with 503, waits at most five seconds for running requests, then closes within two seconds. */
  close(): Promise<void>;
}

/** Max milliseconds for running operations to end. */
const DRAIN_MS = 5_000;
/** Max milliseconds for clients to read the last answers. */
const GRACE_MS = 1_500;
/** Min milliseconds between `progress` events. */
const PROGRESS_EVERY_MS = 250;
/** Wildcard addresses, each with the address at which clients on this machine connect. */
const ANY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** @throws DocfuseError `usage` if an option is wrong, a token is missing, the port is in use or the index has a server; errors of `open` */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  checkOptions('startServer', options ?? {});
  const { config, indexPath, published } = locateIndex(options.open);
  const warn = (message: string) => options.onWarning?.({ path: '', message });
  if (config.leftOut) warn(`${config.leftOut.message} ${config.leftOut.remedy}`);
  if (options.readOnly && !published && placeOfIndex(indexPath).edition() === undefined)
    throw noIndexOf(config.collections.map(({ root }) => root));
  const { server: settings, answer, search } = config.settings;
  const collections = config.collections.map(({ name }) => name);
  const host = options.host ?? settings.host;
  const token = options.token ?? process.env[settings.token_env];
  checkToken(host, token, settings.token_env);
  // A server that only answers has no discovery file: commands would expect it to keep the index up to date.
  const secret = options.readOnly ? undefined : secretOr(warn);
  await refuseSecond(indexPath, secret);

  const started = new Date().toISOString();
  const run = randomBytes(9).toString('base64url');
  const events = createEventLog({ run });
  const metrics = options.metrics
    ? await createMetrics({
        version: VERSION,
        index: async () => (await fresh.status()).index,
        activity: () => fresh.activity(),
        load: () => http.load(),
      })
    : undefined;
  const opened = await open(options.open);
  const index = options.readOnly ? readOnlyIndex(opened) : opened;
  // Fails now, before clients connect, if the index is damaged or a folder is missing.
  if (options.readOnly || !willBeRebuilt(indexPath))
    await index.status().catch(async (error) => {
      await index.close();
      throw error;
    });
  const progress = throttle(PROGRESS_EVERY_MS, (data: SyncProgress) =>
    events.publish({ event: 'progress', data }),
  );
  const warming = new AbortController();
  const fresh = keepFresh(index, {
    onProgress(done) {
      progress(done);
      options.onProgress?.(done);
    },
    onChanges(changes) {
      events.publish({ event: 'changed', data: { documents: changes } });
      options.onChanges?.(changes);
    },
    onReady() {
      options.onReady?.();
      if (embeddingTraits(config.settings.embedding).free)
        void warmUp(index, warming.signal, search.rerank_base_url === undefined);
    },
    publish: published === undefined && !options.readOnly,
    ...defined({ poll: options.poll, onWarning: options.onWarning, onFailure: options.onFailure }),
  });
  const shared = lendIndex(fresh);
  let url = '';
  const context: OperationContext = {
    options: options.open,
    now: () => Date.now(),
    open: async () => shared,
    server: () => ({
      url,
      version: VERSION,
      pid: process.pid,
      started,
      activity: fresh.activity(),
      requests: http.load(),
      searches: http.searches(),
      judging: !options.readOnly && (options.judge ?? settings.judge),
      reranking: search.rerank_enabled,
      ...(answer.base_url &&
        answer.model && {
          answers: { model: answer.model, host: URL.parse(answer.base_url)?.host ?? answer.base_url },
        }),
    }),
  };
  const http = createServer({
    context,
    events,
    version: VERSION,
    ...(secret && { prove: (challenge) => (discovery ? proofOf(secret, discovery, challenge) : '') }),
    mcp: (bounded) => createMcpServerFactory({ run: bounded, version: VERSION, collections }),
    guard: {
      hosts: [...LOOPBACK_HOSTS, hostInUrl(host), ...settings.allowed_hosts],
      origins: settings.allowed_origins,
      // Commands and assistants send a key in place of the token, so the token need not be stored in a file.
      tokens: token ? [token, ...(secret ? [attachKey(secret, run)] : [])] : [],
    },
    ...defined({ limits: options.limits, asText: options.asText }),
    onAnswer: options.onAnswer,
    metrics,
  });
  let listener: Listener | undefined;
  let discovery: DiscoveryFile | undefined;

  async function close(): Promise<void> {
    if (discovery) removeDiscoveryFile(discovery);
    warming.abort();
    await http.drain(DRAIN_MS);
    http.close();
    await Promise.all([listener?.close(GRACE_MS), fresh.close()]);
  }
  try {
    listener = await listen(http.fetch, {
      host,
      port: options.port ?? settings.port,
      onRefused: metrics?.refused,
    });
    const { port } = listener;
    const reached = ANY_ADDRESS[listener.host] ?? listener.host;
    url = addressOf({ host: reached, port });
    discovery = {
      version: VERSION,
      run,
      port,
      host: reached,
      index_path: indexPath,
      pid: process.pid,
      process_start: processStart(process.pid),
      config: digestConfig(config, options.open.cwd),
    };
    if (!options.readOnly && !writeDiscoveryFile(discovery))
      throw alreadyServed(readDiscoveryFile(indexPath));
  } catch (error) {
    await close();
    throw error;
  }
  return { url, indexPath, close };
}

/** Whether the first sync rebuilds the index, because it has an older format. */
function willBeRebuilt(indexPath: string): boolean {
  const place = placeOfIndex(indexPath);
  return place.isOutdated() && place.rights().unwritable === undefined;
}

function checkToken(host: string, token: string | undefined, variable: string): void {
  if (token === undefined || token === '') {
    if (isLoopback(host)) return;
    throw new DocfuseError(
      'usage',
      `Listening on ${host} gives other machines access, but no token is set.`,
      `Set a token with --token or the environment variable ${variable}, or listen on 127.0.0.1.`,
    );
  }
  if (/^[!-+\--~]+$/.test(token)) return;
  throw new DocfuseError(
    'usage',
    'The token contains characters that a header cannot contain.',
    'Use letters, digits and punctuation, without spaces and commas.',
  );
}

/** Makes the server's key, or warns. Without a key, commands do not find this server, but clients can use its address. */
function secretOr(warn: (message: string) => void): Uint8Array | undefined {
  try {
    return makeServerSecret();
  } catch (error) {
    const { message, remedy } = error as DocfuseError;
    warn(`${message} ${remedy}`);
    return undefined;
  }
}

async function refuseSecond(indexPath: string, secret: Uint8Array | undefined): Promise<void> {
  const other = readDiscoveryFile(indexPath);
  if (!other || !secret) return;
  if (await answers({ ...other, secret })) throw alreadyServed(other);
  // The server does not answer. Without a start time, its pid may belong to another process by now: treat the server as dead.
  if (other.process_start === '') removeDiscoveryFile(other);
}

function alreadyServed(other: DiscoveryFile | undefined): DocfuseError {
  const where = other ? ` at ${addressOf(other)} by process ${other.pid}` : '';
  return new DocfuseError(
    'usage',
    `This index is served already${where}.`,
    'Use that server, or stop it first.',
  );
}
