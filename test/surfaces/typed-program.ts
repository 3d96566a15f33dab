/** A program against the packed types, compiled by `pack.test.ts` and never run: every type that stands in a signature has a name. */
import {
  type CollectionFacts,
  type CommunityFacts,
  DocfuseError,
  type DocumentChange,
  type Filters,
  type FilterTime,
  type Lane,
  open,
  type PresetName,
  type QueryType,
  type SearchOptions,
  type SkippedFile,
  type TagCount,
  type UnresolvedLinks,
} from 'docfuse';
import { createMemoryIndex } from 'docfuse/core';
import { type AskServer, type OperationContext, type ServerFacts, startServer } from 'docfuse/http';
import { attachRun, createMcpHttpHandler, createMcpServerFactory, type Operation } from 'docfuse/mcp';

const week: FilterTime = '7d';
const filters: Filters = { after: week, before: new Date(), where: { status: ['draft'] }, tag: ['auth'] };
const preset: PresetName = 'notes';
const options: SearchOptions = { topN: 3, mode: 'keyword', filters, preset, signal: AbortSignal.timeout(1) };

export async function ask(): Promise<string | undefined> {
  await using index = await open({ roots: ['docs'], settings: { search: { fusion: 'rrf' } } });
  const { skipped } = await index.sync({
    onProgress: ({ phase, done, total }) =>
      console.log(phase satisfies 'copy' | 'read' | 'embed' | 'publish', done / total),
    onChange: ({ document, change }: DocumentChange) => console.log(document, change),
  });
  const left: readonly SkippedFile[] = skipped;
  const { hits, queryType, weights, unsure } = await index.search('tokens', options);
  const kind: QueryType | undefined = queryType;
  const lanes: Readonly<Partial<Record<Lane, number>>> = weights;
  const { unresolvedLinks, communities, collections } = await index.status({
    signal: AbortSignal.timeout(1),
  });
  const facts: readonly [UnresolvedLinks, CommunityFacts, readonly CollectionFacts[]] = [
    unresolvedLinks,
    communities,
    collections,
  ];
  const tags: readonly TagCount[] = await index.tags({ filters });
  console.log(left, kind, lanes, facts, tags, unsure[0]?.path);
  // @ts-expect-error There is no such mode.
  await index.search('tokens', { mode: 'quick' }).catch((error: unknown) => error instanceof DocfuseError);
  // @ts-expect-error A filter is a list.
  await index.list({ filters: { tag: 'auth' } });
  return hits[0]?.snippet.text;
}

export async function serve(operations: readonly Operation[]): Promise<Response> {
  const server = await startServer({ open: { roots: ['docs'] }, port: 0 });
  const { run } = await attachRun({ open: { roots: ['docs'] } });
  const make = createMcpServerFactory({ run, version: '1', collections: ['docs'], operations });
  await server.close();
  return createMcpHttpHandler(make).fetch(new Request('http://127.0.0.1'));
}

export function context(askServer: AskServer, server: () => ServerFacts): OperationContext {
  return { options: {}, now: () => 0, open: () => open(), askServer, server };
}

export const memory = createMemoryIndex({ clock: { now: () => 0, monotonic: () => 0 } });
