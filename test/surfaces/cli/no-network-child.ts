/** Loaded before docfuse: every way to another machine throws, and is written down in the file NETWORK_TRAP. */
import { appendFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';

const require = createRequire(import.meta.url);
/** Other processes are a way out, too. */
const ROADS: Readonly<Record<string, RegExp>> = {
  net: /^(connect|createConnection)$/,
  tls: /^connect$/,
  http: /^(request|get)$/,
  https: /^(request|get)$/,
  http2: /^connect$/,
  dgram: /^createSocket$/,
  dns: /^(lookup|resolve|reverse)/,
  'dns/promises': /^(lookup|resolve|reverse)/,
  child_process: /^(spawn|exec|fork)/,
};

for (const [name, roads] of Object.entries(ROADS)) {
  const module = require(`node:${name}`) as Record<string, unknown>;
  for (const road of Object.keys(module)) if (roads.test(road)) module[road] = trap(`${name}.${road}`);
}
const { Socket } = require('node:net') as typeof import('node:net');
Socket.prototype.connect = trap('Socket.connect');
globalThis.fetch = trap('fetch');
globalThis.WebSocket = trap('WebSocket') as unknown as typeof WebSocket;
syncBuiltinESMExports();

function trap(road: string): () => never {
  return function trapped() {
    appendFileSync(process.env.NETWORK_TRAP!, `${road}\n`);
    throw new Error(`The network was used: ${road}`);
  };
}
