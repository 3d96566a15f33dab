/** Sends HTTP requests to a running server after a proof of its identity. Node's plain client loads faster than `fetch`. */
import type { Agent, IncomingMessage } from 'node:http';
import type { KnownServer } from './discovery-file.ts';
import { attachKey, isProof, makeChallenge, proofOf } from './server-proof.ts';

export interface PlainRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly accept: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds within which a server must prove its identity. */
const PATIENCE_MS = 2_000;
/** Max characters of the answer to a challenge; servers send far less. */
const MAX_PROOF = 1_024;

/**
 * Lets the server prove its identity, then sends the request on the same connection: another process at that address never gets
 * the request. Sends nothing to an address of another machine.
 * @throws errors of the network; an error if the signal of the request is aborted; `Error` for a wrong proof
 */
export async function sendRequest(server: KnownServer, request: PlainRequest): Promise<IncomingMessage> {
  const agent = oneConnection();
  await requireProof(server, agent, request.signal).catch((error: unknown) => {
    agent.destroy();
    throw error;
  });
  const authorization = `Bearer ${attachKey(server.secret, server.run)}`;
  return send(server, agent, {
    ...request,
    headers: { ...request.headers, authorization, connection: 'close' },
  });
}

/** Whether the server that wrote this discovery file responds at its address within two seconds. */
export async function answers(server: KnownServer): Promise<boolean> {
  const agent = oneConnection();
  return requireProof(server, agent, AbortSignal.timeout(PATIENCE_MS))
    .then(
      () => true,
      () => false,
    )
    .finally(() => agent.destroy());
}

async function requireProof(
  server: KnownServer,
  agent: Agent,
  signal: AbortSignal | undefined,
): Promise<void> {
  const challenge = makeChallenge(server.secret);
  const path = `/healthz?challenge=${challenge}`;
  const answer = await send(server, agent, { method: 'GET', path, accept: 'application/json', signal });
  let text = '';
  for await (const part of answer.setEncoding('utf8')) {
    text += part;
    if (text.length > MAX_PROOF) break;
  }
  const { proof } = JSON.parse(text) as { readonly proof?: unknown };
  if (!isProof(proof, proofOf(server.secret, server, challenge)))
    throw new Error('This is not the server of the discovery file.');
}

/** An agent with one connection. When the connection is lost, requests fail: a second one might reach another process. */
function oneConnection(): Agent {
  // `import 'node:http'` would also load the code of `fetch`, and commands would start slower.
  const { Agent } = process.getBuiltinModule('node:http');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const connect = agent.createConnection.bind(agent);
  let connected = false;
  agent.createConnection = (options, onConnected) => {
    if (!connected) {
      connected = true;
      return connect(options, onConnected);
    }
    onConnected?.(new Error('The server closed the connection after it had proven who it is.'), undefined!);
    return undefined!;
  };
  return agent;
}

function send(
  { host, port }: KnownServer,
  agent: Agent,
  { method, path, accept, headers: more, body, signal }: PlainRequest,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { accept, ...more, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const { request } = process.getBuiltinModule('node:http');
    // A copied folder may contain the discovery file of another machine. With `localAddress`, connecting fails unless `host` is
    // an address of this machine, so nothing is sent to another machine.
    const here = { agent, host, localAddress: host };
    const outgoing = request({ ...here, port, method, path, headers, ...(signal && { signal }) }, resolve);
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
