/**
 * Loaded before docfuse: every way to another machine throws, and is written down in the file NETWORK_TRAP. To listen on this
 * machine alone is none.
 */
import { appendFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';

const require = createRequire(import.meta.url);
const HERE = '127.0.0.1';
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
  for (const road of Object.keys(module))
    if (roads.test(road)) module[road] = trap(`${name}.${road}`, module[road]);
}
const { Server, Socket } = require('node:net') as typeof import('node:net');
Socket.prototype.connect = trap('Socket.connect') as typeof Socket.prototype.connect;
const { listen } = Server.prototype;
Server.prototype.listen = function (this: unknown, ...args: readonly unknown[]) {
  const [where] = args as [{ readonly host?: string }];
  if (where?.host !== HERE) trap('Server.listen')();
  return Reflect.apply(listen, this, args);
} as typeof listen;
globalThis.fetch = trap('fetch') as typeof fetch;
globalThis.WebSocket = trap('WebSocket') as unknown as typeof WebSocket;
syncBuiltinESMExports();

/** @param passes what is called for the address of this machine, which nobody is asked about: Node looks up where it listens */
function trap(road: string, passes?: unknown): (...args: readonly unknown[]) => unknown {
  return function trapped(this: unknown, ...args) {
    if (road === 'dns.lookup' && args[0] === HERE) return Reflect.apply(passes as () => unknown, this, args);
    appendFileSync(process.env.NETWORK_TRAP!, `${road}\n`);
    throw new Error(`The network was used: ${road}`);
  };
}
