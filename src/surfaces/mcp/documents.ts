/** Documents as MCP resources: listed page by page, read by URI, completed by collection and path. */
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { DocfuseError } from '../../core/errors.ts';
import { manyLines, oneLine } from '../../core/text/one-line.ts';
import { listCollections, listDocuments } from '../operations/list.ts';
import type { RunOperation } from '../operations/operation.ts';
import { readDocument } from '../operations/read-document.ts';
import { failProtocol, textForAssistant } from './call.ts';

const PAGE = 200;
const MAX_COMPLETIONS = 100;
/** Max documents read for one completion. Limited, because clients ask for a completion at every key press. */
const MAX_LOOKED_AT = 5_000;
/** Documents read in one call. */
const LOOK = 1_000;

export function registerDocuments(server: McpServer, run: RunOperation): void {
  const template = new ResourceTemplate('docfuse://{collection}/{+path}', {
    list: undefined,
    complete: {
      collection: (value) => completeCollection(run, value),
      path: (value, context) => completePath(run, value, context?.arguments?.collection),
    },
  });
  const about = {
    title: 'Document',
    description: 'The text of a document, as last indexed. Front matter is left out.',
  };
  server.registerResource('document', template, about, async ({ href }, _, { mcpReq }) => {
    const document = documentOf(href);
    if (document === undefined) throw new ResourceNotFoundError(href);
    try {
      const { text, path, modified } = await run(readDocument, { document }, { signal: mcpReq.signal });
      return { contents: [{ uri: href, text: manyLines(text), ...kindOf(path), _meta: { modified } }] };
    } catch (error) {
      if (!(error instanceof DocfuseError) || error.code !== 'not_found') throw error;
      throw new ResourceNotFoundError(href, textForAssistant(error));
    }
  });
  // The SDK's list for a template has no pages, so this handler replaces it.
  server.server.setRequestHandler('resources/list', async ({ params }, { mcpReq: { signal } }) => {
    const page = { limit: PAGE, cursor: params?.cursor };
    const { documents, next_cursor } = await run(listDocuments, page, { signal }).catch(failProtocol);
    return {
      resources: documents.map((document) => ({
        uri: documentUri(document),
        name: oneLine(document.document_id),
        title: oneLine(document.title),
        ...kindOf(document.path),
        annotations: { lastModified: document.modified },
      })),
      ...(next_cursor !== undefined && { nextCursor: next_cursor }),
    };
  });
}

/** Names of collections that begin with `value`, ignoring case. */
export async function completeCollection(run: RunOperation, value: string): Promise<string[]> {
  const { collections } = await run(listCollections, {});
  return collections.map(({ name }) => name).filter((name) => startsAlike(name, value));
}

/** Paths that begin with `value`, ignoring case. Looks only at the first 5,000 documents. */
export async function completePath(run: RunOperation, value: string, collection?: string): Promise<string[]> {
  const filters = collection === undefined ? undefined : { collection: [collection] };
  const found: string[] = [];
  let cursor: string | undefined;
  for (let seen = 0; seen < MAX_LOOKED_AT && found.length < MAX_COMPLETIONS; seen += LOOK) {
    const { documents, next_cursor } = await run(listDocuments, { limit: LOOK, filters, cursor });
    found.push(...documents.map(({ path }) => path).filter((path) => startsAlike(path, value)));
    cursor = next_cursor;
    if (cursor === undefined) break;
  }
  return found;
}

function startsAlike(text: string, beginning: string): boolean {
  return text.toLowerCase().startsWith(beginning.toLowerCase());
}

function kindOf(path: string): { readonly mimeType: string } {
  return { mimeType: /\.(md|markdown|mdx)$/i.test(path) ? 'text/markdown' : 'text/plain' };
}

export function documentUri({ collection, path }: Readonly<Record<'collection' | 'path', string>>): string {
  return `docfuse://${encodeURIComponent(collection)}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** The id of the document that a `docfuse:` URI names; undefined for other URIs. */
export function documentOf(uri: string): string | undefined {
  const [, collection, path] = /^docfuse:\/\/([^/?#]+)\/([^?#]+)$/i.exec(uri) ?? [];
  if (collection === undefined || path === undefined) return undefined;
  try {
    return `${decodeURIComponent(collection)}/${path.split('/').map(decodeURIComponent).join('/')}`;
  } catch {
    return undefined; // the URI contains a percent sign without two digits
  }
}
