/** Limits connections: decides which connection ends if there are too many, and ends connections that take too long. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { isLoopback } from '../../engine/config/web-names.ts';

export interface PlacesOptions {
  /** Ends a connection to free its place for another connection. */
  readonly displace: (socket: Socket) => void;
  /** Milliseconds a client may go without a complete request. */
  readonly silenceMs: number;
  /** Milliseconds a client may take to read an answer. */
  readonly readMs: number;
}

interface Place {
  readonly socket: Socket;
  /** Network of the client; undefined for a client on this machine. */
  readonly network: string | undefined;
  /** Whether this is a spare place, where only the health check is answered. */
  readonly spare: boolean;
  /** Answers that are not sent completely. */
  readonly open: Set<ServerResponse>;
  /** The last request that came; its body may be incomplete. */
  request?: IncomingMessage;
  /** Bytes received on this connection when the headers of `request` were complete. */
  received: number;
  /** Time of the last event: the client came, headers of a request were complete, or an answer was sent. */
  since: number;
  /** Time since which bytes of an answer are unread; undefined if no bytes are unread. */
  unreadSince?: number | undefined;
}

const MAX_PLACES = 512;
/** Additional places for health checks from this machine, used while the server is working for all other connections. */
const SPARE_PLACES = 16;
/** Max places of one network. This machine has no such limit: its clients share an address, so one could lock out the others. */
const MAX_PLACES_PER_NETWORK = 128;
/** Max requests without a complete answer on one connection. */
const MAX_PIPELINED = 16;
/** Milliseconds for which a waiting connection counts as new. Older ones close first: a new one may soon send its request. */
const YOUNG_MS = 1_000;
/** Max bytes of unread answers and incomplete request bodies, over all connections. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

export function createPlaces({ displace, silenceMs, readMs }: PlacesOptions) {
  const places = new Map<Socket, Place>();

  function leave({ socket }: Place, end = (each: Socket): unknown => each.destroy()): void {
    end(socket);
    places.delete(socket);
  }

  /** Ends the connection with the lowest rank, or the oldest of several; false if the server is working for all of them. */
  function makeRoom(among: readonly Place[]): boolean {
    const now = performance.now();
    const [first] = among
      .map((place) => ({ place, rank: rankOf(place, now) }))
      .filter(({ rank }) => rank !== AT_WORK)
      .sort((a, b) => a.rank - b.rank || a.place.since - b.place.since);
    if (first) leave(first.place, displace);
    return first !== undefined;
  }

  /** Ends the oldest connections with bytes in memory, until the limit is met. The newest stays: its answer may be large. */
  function boundMemory(): void {
    const holders = [...places.values()]
      .map((place) => ({ place, bytes: heldBytes(place) }))
      .filter(({ bytes }) => bytes > 0)
      .sort((a, b) => a.place.since - b.place.since);
    let held = holders.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { place, bytes } of holders.slice(0, -1)) {
      if (held <= MAX_HELD_BYTES) return;
      leave(place);
      held -= bytes;
    }
  }

  return {
    /** Gives a new connection a free place, or the place of a waiting connection; false if there is neither. */
    enter(socket: Socket): boolean {
      const network = clientNetwork(socket.remoteAddress ?? '');
      const all = [...places.values()];
      const same = network === undefined ? [] : all.filter((place) => place.network === network);
      const hasRoom =
        same.length >= MAX_PLACES_PER_NETWORK ? makeRoom(same) : all.length < MAX_PLACES || makeRoom(all);
      const spare = !hasRoom && network === undefined && all.length < MAX_PLACES + SPARE_PLACES;
      if (!hasRoom && !spare) return false;
      const since = performance.now();
      places.set(socket, { socket, network, spare, open: new Set(), received: 0, since });
      socket.once('close', () => places.delete(socket));
      return true;
    },
    /** Records a request; false if the request must be refused. */
    begin(request: IncomingMessage, response: ServerResponse): boolean {
      const place = places.get(request.socket);
      if (!place) return false;
      place.request = request;
      place.received = request.socket.bytesRead;
      place.since = performance.now();
      place.open.add(response);
      response.once('prefinish', boundMemory);
      response.once('close', () => {
        place.open.delete(response);
        place.since = performance.now();
      });
      return place.open.size <= MAX_PIPELINED && (!place.spare || request.url === '/healthz');
    },
    /** Whether bytes sent now would answer the client's latest request. While an earlier answer is incomplete, they would not. */
    isNextInLine(socket: Socket): boolean {
      const place = places.get(socket);
      if (!place) return false;
      const [response, ...others] = place.open;
      const isComplete = place.request?.complete ?? true;
      return response ? !isComplete && !response.headersSent && others.length === 0 : isComplete;
    },
    /** Ends connections that exceed a time limit or the limit of memory. The caller calls it about every second. */
    sweep(): void {
      const now = performance.now();
      for (const place of places.values()) {
        place.unreadSince = isUnread(place) ? (place.unreadSince ?? now) : undefined;
        const isSilent = place.open.size === 0 && now - place.since > silenceMs;
        if (isSilent || now - (place.unreadSince ?? now) > readMs) leave(place);
      }
      boundMemory();
    },
  };
}

const AT_WORK = 4;

/**
 * The rank of a connection. The lowest rank is closed first.
 *
 * - 0: its request is missing or incomplete
 * - 1: it waits for a further request
 * - 2: its answer is unread
 * - 3: any of these for less than `YOUNG_MS`
 * - `AT_WORK`: the server is working for it
 */
function rankOf(place: Place, now: number): number {
  const { request, open, since } = place;
  const isWaiting = !request?.complete || open.size === 0;
  if (!isWaiting && !isUnread(place)) return AT_WORK;
  if (now - since < YOUNG_MS) return 3;
  if (!isWaiting) return 2;
  return request?.complete ? 1 : 0;
}

function isUnread({ socket }: Place): boolean {
  return socket.writableLength > 0;
}

function heldBytes({ socket, open, request, received }: Place): number {
  const body = request === undefined || request.complete ? 0 : socket.bytesRead - received;
  return [...open].reduce((sum, { writableLength }) => sum + writableLength, body);
}

/**
 * The network of a client: its IPv4 address, or the first 64 bits of its IPv6 address, because one client may own all addresses
 * that begin with these bits. Limits per network keep one client from taking all places. Undefined for this machine.
 */
export function clientNetwork(address: string): string | undefined {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isLoopback(plain)) return undefined;
  if (!isIPv6(plain)) return plain;
  const [head = [], tail = []] = plain.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}
