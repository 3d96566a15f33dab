/** Reads the input of a request: fields in the path, and a JSON body or the query string. The operation checks it later. */
import { DocfuseError } from '../../core/errors.ts';
import { isRecord } from '../../core/model/json.ts';
import { type Field, nest } from '../operations/fields.ts';
import { refuse } from './refusal.ts';

/** Max bytes of a body. A query and a hypothesis are a few thousand characters. */
const MAX_BODY = 1024 * 1024;

const TOO_LARGE = [
  'The body is larger than 1 MiB.',
  'Send a smaller body; no operation needs a larger one.',
] as const;

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
      'A POST request cannot have query parameters.',
      'Put them into the body, or send GET.',
    );
  }
  const given = posted
    ? await readBody(request)
    : { value: readQuery(fields, withShortNames(fields, searchParams)) };
  if (given instanceof Response || Object.keys(places).length === 0 || !isRecord(given.value)) return given;
  const twice = Object.keys(places).find((name) => Object.hasOwn(given.value as object, name));
  if (twice !== undefined) {
    return refuse(
      'malformed',
      `The path already contains the field ${twice}.`,
      'Leave this field out of the body or the query string.',
    );
  }
  return { value: { ...given.value, ...places } };
}

/** Renames `q`, the usual short name, to `query` if the operation has that field. */
function withShortNames(fields: readonly Field[], given: URLSearchParams): URLSearchParams {
  const short = given.get('q');
  const hasQuery = fields.some(({ path }) => path.join() === 'query');
  if (!hasQuery || short === null || given.has('query')) return given;
  const named = new URLSearchParams(given);
  named.delete('q');
  named.append('query', short);
  return named;
}

/** Reads a JSON body. Stops at the size limit, with or without a Content-Length header. */
async function readBody(request: Request): Promise<{ readonly value: unknown } | Response> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json *(;|$)/i.test(type)) {
    const detail = type === '' ? 'The body has no Content-Type.' : `The body is ${type}.`;
    return refuse('unsupported_type', detail, 'Send JSON, with Content-Type: application/json.');
  }
  const length = request.headers.get('content-length');
  if (Number(length) > MAX_BODY) return refuse('body_too_large', ...TOO_LARGE);
  // Node ends a body at its Content-Length. A chunked body has none, so its bytes are counted.
  const text = length === null ? await readText(request) : await request.text();
  if (text === undefined) return refuse('body_too_large', ...TOO_LARGE);
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return refuse('malformed', `The body is not JSON: ${(error as Error).message}.`, 'Send one JSON object.');
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

/** The name of a field as a query parameter, with dots between the levels: `filters.tag`. */
export function parameterName({ path }: Field): string {
  return path.join('.');
}

/**
 * Reads the query string. A list is a repeated parameter. Numbers and booleans look as in JSON; texts have no quotes. The key of
 * a map follows the name of the field: `filters.where.status`. Unknown names and wrong values are passed on, so that the check
 * of the operation reports them.
 * @throws {DocfuseError} `usage` for a map without a key
 */
function readQuery(fields: readonly Field[], query: URLSearchParams): Record<string, unknown> {
  const given: [path: readonly string[], value: unknown][] = [...new Set(query.keys())].map((name) => {
    const values = query.getAll(name);
    const asGiven = values.length > 1 ? values : values[0];
    const field = fields.find((each) =>
      each.kind === 'map' ? name.startsWith(`${parameterName(each)}.`) : name === parameterName(each),
    );
    if (field === undefined) return [unknownPath(fields, name), asGiven];
    const { path, kind } = field;
    if (kind === 'map') return [[...path, name.slice(parameterName(field).length + 1)], asGiven];
    if (kind === 'list') return [path, values];
    return [path, values.length > 1 ? values : coerce(kind, values[0]!)];
  });
  return nest(given);
}

/** Returns the path of a name that no field has. `filters.tags` is looked for inside `filters`, as in a body. */
function unknownPath(fields: readonly Field[], name: string): readonly string[] {
  if (fields.some((each) => each.kind === 'map' && name === parameterName(each))) {
    const remedy = `Write the key after a dot: ${name}.status=draft.`;
    throw new DocfuseError('usage', `${name} has no key.`, remedy);
  }
  const [, outer, inner = ''] = /^([^.]+)\.(.*)$/s.exec(name) ?? [];
  return fields.some(({ path }) => path.length > 1 && path[0] === outer) ? [outer!, inner] : [name];
}

function coerce(kind: Field['kind'], text: string): unknown {
  if (kind === 'switch' || kind === 'off-switch')
    return text === 'true' ? true : text === 'false' ? false : text;
  if (kind !== 'number') return text;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isNaN(number) ? text : number;
}
