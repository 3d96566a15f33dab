/** HTTP requests to a running server that has proven itself. Node's plain client: a command line should not load a larger one for it. */
import type { Agent, IncomingMessage } from 'node:http';
import { attachKey, isProof, type KnownServer, makeChallenge, proofOf } from './server-proof.ts';

export interface PlainRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The `Accept` header. */
  readonly accept: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** A server is given this long to say that it is there. */
const PATIENCE_MS = 2_000;
/** An answer to a challenge is shorter. */
const MAX_PROOF = 1_024;

/**
 * Asks on the very connection on which the server has proven itself: whatever listens at its address by then gets nothing.
 * @throws what the network or the signal says, or that there is no proof; for an address that is not one of this machine nothing is sent
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

/** Whether the server that left this discovery file, and no other, is at its address. */
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

/** @returns an agent that connects once, and fails if that connection is lost */
function oneConnection(): Agent {
  // `import 'node:http'` would load all of fetch, too.
  const { Agent } = process.getBuiltinModule('node:http');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const connect = agent.createConnection.bind(agent);
  let connected = false;
  agent.createConnection = (options, onConnected) => {
    if (!connected) {
      connected = true;
      return connect(options, onConnected);
    }
    onConnected?.(new Error('The server closed the connection on which it has proven itself.'), undefined!);
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
    // A copied folder may bring a discovery file that names another machine. Binding to that address fails on this one.
    const here = { agent, host, localAddress: host };
    const outgoing = request({ ...here, port, method, path, headers, ...(signal && { signal }) }, resolve);
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
