/** Serves an index over the Model Context Protocol from a program: over stdio, or as a function from request to response. */

export type { OpenOptions } from '../../engine/api.ts';
export type { Operation, OperationControl, RunOperation } from '../operations/operation.ts';
export { type AttachedRun, type AttachOptions, attachRun } from './attached-run.ts';
export {
  createMcpHttpHandler,
  createMcpServerFactory,
  type McpHttpHandler,
  type McpServerOptions,
} from './create-mcp-server.ts';
export { type StdioOptions, serveStdio } from './serve-stdio.ts';
