/** A TCP proxy in front of a server, which can cut a connection at a chosen moment. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * @param mayCut called with what a client sends. After `true`, the proxy waits for the answer of the server, keeps it, and cuts
 *   the connection
 */
export async function openCuttingProxy(url: string, mayCut: (sent: string) => boolean) {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  let isShut = false;
  const proxy = createServer((client) => {
    if (isShut) return void client.destroy();
    const server = connect(Number(port), hostname);
    let isCut = false;
    const end = () => [client, server].forEach((socket) => void socket.destroy());
    client.on('data', (bytes: Buffer) => {
      isCut ||= mayCut(bytes.toString('latin1'));
      server.write(bytes);
    });
    server.on('data', (bytes: Buffer) => (isCut ? end() : client.write(bytes)));
    for (const socket of [client, server]) open.add(socket.on('error', end).on('close', end));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: url.replace(`:${port}`, `:${(proxy.address() as AddressInfo).port}`),
    close: () => void proxy.close(),
    /** Cuts all connections and accepts none, as a server that is away, until it is called with false. */
    shut(value: boolean): void {
      isShut = value;
      for (const socket of open) socket.destroy();
      open.clear();
    },
  };
}
