/** A TCP proxy in front of PGlite that lets several clients ask at the same time: each request waits until the one before it is answered. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** End of an answer: ReadyForQuery, outside a transaction. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** @param ownPort where it listens. @default any free port */
export async function openTurnProxy(url: string, ownPort = 0) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let turn: Socket | undefined;

  function next(client: Socket): void {
    if (turn !== client) return;
    turn = undefined;
    waiting.shift()?.();
  }

  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    let held: Buffer[] = [];
    let isEnding = false;
    const send = () => {
      turn = client;
      for (const bytes of held) server.write(bytes);
      held = [];
      if (isEnding) next(client);
    };
    const end = () => {
      isEnding = true;
      for (const socket of [client, server]) sockets.delete(socket.destroy());
      next(client);
    };
    client.on('data', (bytes: Buffer) => {
      held.push(bytes);
      if (turn === client || (turn === undefined && waiting.length === 0)) send();
      else if (held.length === 1) waiting.push(send);
    });
    server.on('data', (bytes: Buffer) => {
      client.write(bytes);
      if (bytes.subarray(-READY.length).equals(READY)) next(client);
    });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.setNoDelay(true).on('error', end).on('close', end);
    }
  }).listen(ownPort, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: url.replace(`:${port}`, `:${(proxy.address() as AddressInfo).port}`),
    /** Cuts all connections, and accepts no more. */
    close(): void {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
