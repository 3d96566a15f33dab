/** The protocol of the model hub: lists the files of a repository and opens them. */
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import { nonsense, readJson, readText, request } from '../remote/request.ts';

export const HUB = 'The model hub';

export interface HubOptions {
  /** Address of the hub or of a mirror, without a user name, a password and parameters. */
  readonly url: string;
  /**
   * Access token for models that are private or whose licence must be accepted. It is sent only to the hub, not to servers to
   * which the hub redirects.
   */
  readonly token?: string | undefined;
}

export interface HubFile {
  /** Path inside the repository, with `/`. */
  readonly path: string;
  readonly size: number;
  /** `sha256:` and the SHA-256 of a large file, or `git:` and the Git object id of another file; in hexadecimal. */
  readonly checksum: string;
}

const treeSchema = z.array(
  z.object({
    type: z.string(),
    path: z.string(),
    size: z.int().min(0),
    oid: z.string(),
    lfs: z.object({ oid: z.string(), size: z.int().min(0) }).optional(),
  }),
);

/** Max pages of a listing that are read. The hub lists a thousand files per page. */
const MAX_PAGES = 20;

export type Hub = ReturnType<typeof createHub>;

export function createHub({ url, token }: HubOptions) {
  const base = parseAddress(url);
  const headers = token ? { authorization: `Bearer ${token}` } : {};

  async function get(model: string, address: URL, more: Record<string, string>, signal?: AbortSignal) {
    const answer = await request({ service: HUB, url: address, headers: { ...headers, ...more }, signal });
    if (answer.ok || answer.status === 416) return answer;
    throw await refusal(answer, model, token !== undefined);
  }

  return {
    url: base.href.replace(/\/$/, ''),
    /** Returns all files of the newest version. @throws DocfuseError `not_found`, `remote`, `aborted` */
    async list(model: string, signal?: AbortSignal): Promise<readonly HubFile[]> {
      const files: HubFile[] = [];
      let page: URL | undefined = new URL(`api/models/${model}/tree/main?recursive=true`, base);
      for (let pages = 0; page !== undefined && pages < MAX_PAGES; pages += 1) {
        const answer = await get(model, page, {}, signal);
        const parsed = treeSchema.safeParse(await readJson(answer, { service: HUB, signal }));
        if (!parsed.success) throw nonsense(HUB, 'it is not a list of files', parsed.error);
        files.push(...parsed.data.filter(({ type }) => type === 'file').map(toFile));
        page = nextPage(answer, page);
      }
      if (page) throw nonsense(HUB, `its list of files has more than ${MAX_PAGES} pages`);
      return files;
    },
    /**
     * Requests the bytes of a file from `offset` on. The server may send all bytes (status 200), or refuse the offset (status 416).
     * @throws DocfuseError `not_found`, `remote`, `aborted`
     */
    open: (model: string, path: string, offset: number, signal?: AbortSignal) =>
      get(
        model,
        new URL(`${model}/resolve/main/${path.split('/').map(encodeURIComponent).join('/')}`, base),
        // A compressed body would have another length, and could not be requested in parts.
        { 'accept-encoding': 'identity', ...(offset > 0 && { range: `bytes=${offset}-` }) },
        signal,
      ),
  };
}

function parseAddress(url: string): URL {
  const base = URL.parse(url.endsWith('/') ? url : `${url}/`);
  // The address is never repeated: it may hold a key, and the message may be shown to others.
  if (!base || !/^https?:$/.test(base.protocol))
    throw new DocfuseError(
      'config',
      'DOCFUSE_HUB is not an http or https URL.',
      'Set it to a URL that begins with https://, or unset it.',
    );
  if (base.username || base.password || base.search || base.hash)
    throw new DocfuseError(
      'config',
      'The address in DOCFUSE_HUB has a user name, a password, or a part after ? or #.',
      'Leave it out; an access token belongs in HF_TOKEN.',
    );
  return base;
}

function toFile({ path, size, oid, lfs }: z.output<typeof treeSchema>[number]): HubFile {
  return lfs
    ? { path, size: lfs.size, checksum: `sha256:${lfs.oid.replace(/^sha256:/, '')}` }
    : { path, size, checksum: `git:${oid}` };
}

/** Returns the address of the next page. Uses only the link's query: a mirror may return links to the original hub. */
function nextPage(answer: Response, page: URL): URL | undefined {
  const next = /<([^>]+)>\s*;\s*rel="?next"?/.exec(answer.headers.get('link') ?? '')?.[1];
  if (next === undefined) return undefined;
  const url = new URL(page);
  url.search = new URL(next, page).search;
  return url;
}

async function refusal(answer: Response, model: string, withToken: boolean): Promise<DocfuseError> {
  const { status } = answer;
  const host = URL.parse(answer.url)?.host ?? 'the hub';
  const detail = (await readText(answer, { service: HUB, silence: 5_000 }).catch(() => '')).slice(0, 300);
  const gated = answer.headers.get('x-error-code') === 'GatedRepo' || /gated|restricted/i.test(detail);
  if (gated || status === 403) {
    return new DocfuseError(
      'remote',
      `The authors of ${model} give access only to users who request it (${status} from ${host}).`,
      `Accept the terms on the page of the model, then set HF_TOKEN to your access token${withToken ? ' that may read the model' : ''}.`,
    );
  }
  if (status === 401 || status === 404) {
    return new DocfuseError(
      'not_found',
      `${host} has no model ${model}${withToken ? ' that your token may read' : ''}, or the model lacks the requested file.`,
      'Check the name, which has the form org/name. A private model needs an access token in HF_TOKEN.',
    );
  }
  return new DocfuseError(
    'remote',
    `${host} answered the request for ${model} with status ${status}.`,
    status === 429
      ? 'Wait a few minutes and try again; the received bytes are kept.'
      : 'Try again later; the received bytes are kept.',
  );
}
