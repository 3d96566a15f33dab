/** A real server on a real port over a small folder, and a client that sends exact bytes. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SettingsOverride, Status } from '../../../src/engine/api.ts';
import {
  type RunningServer,
  type StartOptions,
  startServer,
} from '../../../src/surfaces/http/start-server.ts';
import type { Wire } from '../../../src/surfaces/operations/wire.ts';
import { writeFiles } from '../../support/write-files.ts';

export const NOTES = {
  'guide/tokens.md':
    '---\ntags: [auth]\nstatus: draft\n---\n# Tokens\n\nTo rotate a token, press *Rotate*; see [[backup]].\n\n## Expiry\n\nA token expires after an hour.\n',
  'backup.md': '# Backups\n\nA snapshot of the database is taken every night and kept for thirty days.\n',
  'code.md': '# Code\n\n```ts\nexport function getUserById(id: string) {}\n```\n',
} as const;

export interface Served extends AsyncDisposable {
  readonly server: RunningServer;
  readonly folder: string;
  readonly indexPath: string;
  readonly port: number;
  write(path: string, text: string): void;
  /** Waits until every passage has a vector, however slow the machine. */
  ready(headers?: Readonly<Record<string, string>>): Promise<void>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

export interface ServedOptions extends Omit<StartOptions, 'open' | 'port'> {
  readonly settings?: SettingsOverride;
  readonly files?: Readonly<Record<string, string>>;
}

export async function createServed({
  settings,
  files = NOTES,
  ...options
}: ServedOptions = {}): Promise<Served> {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'docfuse-http-')));
  const folder = join(work, 'notes');
  const indexPath = join(work, 'index');
  writeFiles(folder, files);
  const open = { roots: [folder], indexPath, cwd: work, ...(settings && { settings }) };
  const server = await startServer({ open, port: 0, ...options });
  const get: Served['get'] = (path, headers = {}) => fetch(server.url + path, { headers });
  return {
    ...{ server, folder, indexPath },
    write: (path, text) => writeFiles(folder, { [path]: text }),
    port: Number(new URL(server.url).port),
    get,
    async ready(headers) {
      for (;;) {
        const { index } = (await (await get('/api/status', headers)).json()) as Wire<Status>;
        if (index.embedded > 0 && !index.stale) return;
        await sleep(50);
      }
    },
    post: (path, body, headers = {}) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      await server.close();
      rmSync(work, { recursive: true, force: true });
    },
  };
}

/**
 * Sends bytes as they are and gathers what comes back until the server closes.
 * @param parts sent one after the other, `pauseMs` apart
 */
export function sendBytes(
  port: number,
  parts: string | readonly string[],
  { pauseMs = 50, endMs = 5_000 }: { readonly pauseMs?: number; readonly endMs?: number } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const timer = setTimeout(() => socket.destroy(), endMs);
    socket.setEncoding('latin1').on('data', (text) => {
      received += text;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A server that has refused may close before all is sent.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
    void sendParts([parts].flat());
    async function sendParts(all: readonly string[]): Promise<void> {
      for (const part of all) {
        if (socket.destroyed) return;
        socket.write(part, 'latin1');
        await new Promise((next) => setTimeout(next, pauseMs));
      }
    }
  });
}

/** Status codes of the answers in what came back, in order. */
export function statusesOf(received: string): readonly number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
