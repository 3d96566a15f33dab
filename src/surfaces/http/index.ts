/** Serves an index over HTTP from a program: a server on a port, or a function from request to response. */

export type { DocumentChange, OpenOptions, SyncProgress } from '../../engine/api.ts';
export type {
  AskServer,
  Operation,
  OperationContext,
  OperationControl,
  OperationProgress,
  ServerFacts,
} from '../operations/operation.ts';
export type { Limits } from './bounded-run.ts';
export { type Answered, createServer, type HttpServer, type ServerOptions } from './create-server.ts';
export { createEventLog, type EventLog, type EventLogOptions, type ServerEvent } from './event-log.ts';
export { type GuardOptions, LOOPBACK_HOSTS } from './guard.ts';
export { type Listener, type ListenOptions, listen } from './listen.ts';
export type { Metrics } from './metrics.ts';
export { type RunningServer, type StartOptions, startServer } from './start-server.ts';
