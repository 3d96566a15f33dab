/** A service with OpenAI's protocol: its address, its key, requests to it, and its errors. */
import { DocfuseError } from '../../core/errors.ts';
import { parseJson } from '../../core/model/json.ts';
import { isBusy, type RemoteRequest, readText, request } from '../remote/request.ts';

export interface Endpoint {
  /** Name of the service in error messages, such as `The embedding service`. */
  readonly service: string;
  /** Address of the service; usually ends in `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Environment variable that holds the key, for error messages. */
  readonly apiKeyEnv: string;
  /** The key. Most services on the same machine need none. */
  readonly apiKey?: string | undefined;
  /** Prefix of the settings of this service in error messages, such as `embedding.`. */
  readonly prefix: string;
}

/** The part of an endpoint that the user sets. */
export type ServiceOptions = Omit<Endpoint, 'service' | 'prefix'>;

/** Returns the URL of `path` below `baseUrl`. @throws DocfuseError `config` if `baseUrl` is not an http or https URL */
export function addressOf({ baseUrl, prefix }: Endpoint, path: string): URL {
  const url = URL.parse(`${baseUrl.replace(/\/+$/, '')}${path}`);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new DocfuseError(
    'config',
    `${prefix}base_url is not an http or https URL: ${baseUrl}`,
    'Write it like http://127.0.0.1:11434/v1.',
  );
}

/** Sends a value as JSON to `path` below the address of the service. @returns and throws as `request` and `addressOf` do */
export function send(
  endpoint: Endpoint,
  path: string,
  json: unknown,
  limits: Pick<RemoteRequest, 'timeout' | 'attempts' | 'maxPause' | 'signal'>,
): Promise<Response> {
  const { service, apiKey } = endpoint;
  const headers: RemoteRequest['headers'] = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  return request({ ...limits, service, url: addressOf(endpoint, path), headers, json });
}

/** Orders values by index: not all services keep the order of the texts. @returns undefined unless each of `count` texts has a value */
export function inOrder<T>(values: Iterable<readonly [index: number, value: T]>, count: number) {
  const ordered = new Array<T | undefined>(count).fill(undefined);
  for (const [index, value] of values) ordered[index] = value;
  return ordered.length === count && !ordered.includes(undefined) ? (ordered as readonly T[]) : undefined;
}

/** Beginning of an HTML page, such as the error page of a proxy. */
const HTML = /^\s*<(?:!doctype html|html)\b/i;

/** Returns the error for an unsuccessful answer; reads the body of the answer to find the reason. */
export async function refusal(endpoint: Endpoint, answer: Response): Promise<DocfuseError> {
  const { service, model, apiKeyEnv, apiKey, prefix } = endpoint;
  const { status } = answer;
  const body = await readText(answer, { service, silence: 5_000 }).catch(() => '');
  const reason = reasonIn(body);
  const said = HTML.test(body) ? ' (an HTML page)' : reason && `: ${reason}`;
  const failed = (message: string, remedy: string) => new DocfuseError('remote', message, remedy);
  if (status === 401 || status === 403) {
    return apiKey
      ? failed(
          `${service} refuses the key in ${apiKeyEnv} (${status})${said}.`,
          `Put a valid key into ${apiKeyEnv}, or name another variable with ${prefix}api_key_env.`,
        )
      : failed(
          `${service} needs a key, but the environment variable ${apiKeyEnv} is not set (${status}).`,
          `Set ${apiKeyEnv}, or name another variable with ${prefix}api_key_env.`,
        );
  }
  if (status === 404) {
    return failed(
      `${service} at ${endpoint.baseUrl} does not know the model ${model}, or the address is wrong (404)${said}.`,
      `Check ${prefix}model and ${prefix}base_url, which usually ends in /v1.`,
    );
  }
  return failed(
    `${service} answered ${status}${answer.statusText && ` ${answer.statusText}`}${said}.`,
    isBusy(status) ? 'Try again later.' : `Check the settings of [${prefix.split('.', 1)[0]}].`,
  );
}

/** Returns the error in a body such as `{"error":{"message":…}}` or `{"error":…}`, else the start of the body; one short line. */
function reasonIn(body: string): string {
  const { error, message, detail } = (parseJson(body) ?? {}) as Record<string, unknown>;
  const found = (error as { message?: unknown } | undefined)?.message ?? error ?? message ?? detail ?? body;
  const text = typeof found === 'string' ? found : JSON.stringify(found);
  return text.replace(/\s+/g, ' ').trim().slice(0, 200).replace(/[.!]$/, '');
}
