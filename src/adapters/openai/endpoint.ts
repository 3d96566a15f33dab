/** A service that speaks OpenAI's protocol: its address, its key, and what its refusals mean. */
import { DocfuseError } from '../../core/errors.ts';
import { readText } from '../remote/request.ts';

export interface Endpoint {
  /** What it is for, for errors: `The embedding service`. */
  readonly service: string;
  /** Ends in `/v1` as a rule. */
  readonly baseUrl: string;
  readonly model: string;
  /** Environment variable that holds the key, for errors. */
  readonly apiKeyEnv: string;
  /** Its value; services on the same machine mostly want none. */
  readonly apiKey?: string | undefined;
  /** Section of the configuration, for errors: `embedding`. */
  readonly section: string;
}

/** Settings of a service from the user. */
export type ServiceOptions = Omit<Endpoint, 'service' | 'section'>;

/** Returns the URL of `path` below `baseUrl`. @throws DocfuseError `config` if `baseUrl` is not a URL */
export function addressOf({ baseUrl, section }: Endpoint, path: string): URL {
  const url = URL.parse(`${baseUrl.replace(/\/+$/, '')}${path}`);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new DocfuseError(
    'config',
    `${section}.base_url is no address: ${baseUrl}`,
    'Write it like http://127.0.0.1:11434/v1.',
  );
}

export function headersOf({ apiKey }: Endpoint): Readonly<Record<string, string>> {
  return apiKey ? { authorization: `Bearer ${apiKey}` } : {};
}

/** Beginning of an HTML page, such as the error page of a proxy. */
const HTML = /^\s*<(?:!doctype html|html)\b/i;

/** The error that an unsuccessful answer means; reads its body. */
export async function refusal(endpoint: Endpoint, answer: Response): Promise<DocfuseError> {
  const { service, model, apiKeyEnv, apiKey, section } = endpoint;
  const { status } = answer;
  const body = await readText(answer, { service, silence: 5_000 }).catch(() => '');
  const reason = reasonIn(body);
  const said = HTML.test(body) ? ' (an HTML page)' : reason && `: ${reason}`;
  if (status === 401 || status === 403) {
    return apiKey
      ? new DocfuseError(
          'remote',
          `${service} refuses the key in ${apiKeyEnv} (${status})${said}.`,
          `Put a valid key into ${apiKeyEnv}, or name another variable with ${section}.api_key_env.`,
        )
      : new DocfuseError(
          'remote',
          `${service} wants a key, and the environment variable ${apiKeyEnv} is not set (${status}).`,
          `Set ${apiKeyEnv}, or name another variable with ${section}.api_key_env.`,
        );
  }
  if (status === 404) {
    return new DocfuseError(
      'remote',
      `${service} at ${endpoint.baseUrl} does not know the model ${model}, or is not there (404)${said}.`,
      `Check ${section}.model and ${section}.base_url, which ends in /v1 as a rule.`,
    );
  }
  const busy = status === 429 || status >= 500;
  return new DocfuseError(
    'remote',
    `${service} answered ${status}${answer.statusText && ` ${answer.statusText}`}${said}.`,
    busy ? 'Try again later.' : `Check the settings of [${section}].`,
  );
}

/** The sentence in `{"error":{"message":…}}`, `{"error":…}`, or the beginning of anything else, on one line and short. */
function reasonIn(body: string): string {
  let found: unknown = body;
  try {
    const { error, message, detail } = JSON.parse(body) as Record<string, unknown>;
    found = (error as { message?: unknown } | undefined)?.message ?? error ?? message ?? detail ?? body;
  } catch {
    // Not JSON, for example a sentence.
  }
  const text = typeof found === 'string' ? found : JSON.stringify(found);
  return text.replace(/\s+/g, ' ').trim().slice(0, 200).replace(/[.!]$/, '');
}
