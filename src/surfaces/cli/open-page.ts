/** The command `open`: shows the page of an index in the user's browser. If no server runs, the command becomes the server. */
import { DocfuseError } from '../../core/errors.ts';
import { oneLine, safeJson } from '../../core/text/one-line.ts';
import type { OpenOptions } from '../../engine/api.ts';
import { locateIndex } from '../../engine/config/locate-index.ts';
import { addressOf, findServer } from '../attach/discovery-file.ts';
import { answers } from '../attach/send-request.ts';
import { openBrowser } from './open-outside.ts';
import { type OpenPageOptions, serve } from './serve.ts';

/** Max length of a query in the address. Servers refuse requests with long headers. */
const MAX_IN_ADDRESS = 6_000;

/** @throws DocfuseError `usage` for a long query; errors of `serve` */
export async function openPage(
  open: OpenOptions,
  options: OpenPageOptions,
  signal: AbortSignal,
): Promise<void> {
  const place = placeOf(options.query);
  const note = (line: string) => {
    if (!options.quiet && !options.json) process.stderr.write(`${oneLine(line)}\n`);
  };
  const show = async (url: string) => {
    const address = `${url}${place}`;
    if (await needsToken(url)) note('This server needs its token. The page asks for it once in each tab.');
    const failure = options.browser === false ? '' : await openBrowser(address);
    if (failure !== undefined) note(`${failure} Open ${address} in a browser.`.trim());
  };
  const server = findServer(locateIndex(open), open.cwd);
  if (server && (await answers(server))) {
    const url = addressOf(server);
    const { index_path, pid } = server;
    process.stdout.write(options.json ? `${safeJson({ url, index_path, pid })}\n` : `${url}${place}\n`);
    await show(url);
    return;
  }
  await serve(open, options, signal, show).catch((error: unknown) => {
    // The server of another index may use the default port: choose a free port, unless the user named one.
    const { cause } = error as { readonly cause?: NodeJS.ErrnoException };
    if (options.port !== undefined || cause?.code !== 'EADDRINUSE') throw error;
    return serve(open, { ...options, port: 0 }, signal, show);
  });
}

function placeOf(query = ''): string {
  if (query.trim() === '') return '/';
  const place = `/?${new URLSearchParams({ q: query })}`;
  if (place.length <= MAX_IN_ADDRESS) return place;
  throw new DocfuseError(
    'usage',
    'The query is too long for the address of a page.',
    'Use fewer words, or paste the query into the page.',
  );
}

async function needsToken(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/openapi.json`, { method: 'HEAD' }).catch(() => undefined);
  return answer?.status === 401;
}
