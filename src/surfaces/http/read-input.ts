/** What a request asks, still to be checked by the operation: its path, and a JSON body of bearable size or the query. */
import type { Field } from '../operations/fields.ts';
import { readQuery } from './query-input.ts';
import { refuse } from './refusal.ts';

/** The largest body read, in bytes. A query and a hypothesis are a few thousand characters. */
const MAX_BODY = 1024 * 1024;

const TOO_LARGE = ['The body is larger than 1 MiB.', 'Send less; no operation needs that much.'] as const;

/** The input, or the refusal. */
export async function readInput(
  request: Request,
  fields: readonly Field[],
  places: Readonly<Record<string, string>>,
): Promise<{ readonly value: unknown } | Response> {
  const { searchParams } = new URL(request.url);
  const posted = request.method === 'POST';
  if (posted && searchParams.size > 0) {
    return refuse(
      'malformed',
      'A POST request has no query parameters.',
      'Put them into the body, or send GET.',
    );
  }
  const given = posted
    ? await readBody(request)
    : { value: readQuery(fields, withShortNames(fields, searchParams)) };
  if (given instanceof Response || Object.keys(places).length === 0 || !isRecord(given.value)) return given;
  const twice = Object.keys(places).find((name) => Object.hasOwn(given.value as object, name));
  if (twice !== undefined) {
    return refuse('malformed', `The field ${twice} stands in the path already.`, 'Give it once.');
  }
  return { value: { ...given.value, ...places } };
}

/** `?q=` is what people and browsers type for a query. */
function withShortNames(fields: readonly Field[], given: URLSearchParams): URLSearchParams {
  const short = given.get('q');
  const hasQuery = fields.some(({ path }) => path.join() === 'query');
  if (!hasQuery || short === null || given.has('query')) return given;
  const named = new URLSearchParams(given);
  named.delete('q');
  named.append('query', short);
  return named;
}

/** Reading stops at the limit, whatever length was announced. */
async function readBody(request: Request): Promise<{ readonly value: unknown } | Response> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json *(;|$)/i.test(type)) {
    const detail = type === '' ? 'The body has no Content-Type.' : `The body is ${type}.`;
    return refuse('unsupported_type', detail, 'Send JSON, with Content-Type: application/json.');
  }
  const length = request.headers.get('content-length');
  if (Number(length) > MAX_BODY) return refuse('body_too_large', ...TOO_LARGE);
  // A body with a length is no longer than that; one in chunks may go on for ever.
  const text = length === null ? await readText(request) : await request.text();
  if (text === undefined) return refuse('body_too_large', ...TOO_LARGE);
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refuse('malformed', `The body is not JSON: ${why}.`, 'Send one JSON object.');
  }
}

async function readText(request: Request): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  if (request.body === null) return '';
  for await (const part of request.body) {
    size += part.length;
    if (size > MAX_BODY) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
