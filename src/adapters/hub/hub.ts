/** The protocol of the model hub: lists the files of a repository and opens them. */
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import { nonsense, readJson, readText, request } from '../remote/request.ts';

/** For errors. */
export const HUB = 'The model hub';

export interface HubOptions {
  /** Address of the hub or of a mirror of it. */
  readonly url: string;
  /** For models that are private or whose licence must be accepted; sent to the hub and to no server it redirects to. */
  readonly token?: string | undefined;
}

/** A file of a model's repository. */
export interface HubFile {
  /** Inside the repository, with `/`. */
  readonly path: string;
  readonly size: number;
  /** `sha256:…` of the bytes for large files, `git:…` with the Git object id for others; hexadecimal. */
  readonly checksum: string;
}

export interface Hub {
  readonly url: string;
  /** Every file of the newest version. @throws DocfuseError `not_found`, `remote`, `aborted` */
  list(model: string, signal?: AbortSignal): Promise<readonly HubFile[]>;
  /** The file's bytes from `offset` on, or all of them where the server ignores that. @throws DocfuseError likewise */
  open(model: string, path: string, offset: number, signal?: AbortSignal): Promise<Response>;
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

/** Pages of a listing that are followed; the hub puts a thousand files on one. */
const MAX_PAGES = 20;

export function createHub({ url, token }: HubOptions): Hub {
  const base = parseAddress(url);
  const headers = token ? { authorization: `Bearer ${token}` } : {};

  async function get(model: string, address: URL, more: Record<string, string>, signal?: AbortSignal) {
    const answer = await request({ service: HUB, url: address, headers: { ...headers, ...more }, signal });
    if (answer.ok || answer.status === 416) return answer;
    throw await refusal(answer, model, token !== undefined);
  }

  return {
    url: base.href.replace(/\/$/, ''),
    async list(model, signal) {
      const files: HubFile[] = [];
      let page: URL | undefined = new URL(`api/models/${model}/tree/main?recursive=true`, base);
      for (let pages = 0; page !== undefined && pages < MAX_PAGES; pages += 1) {
        const answer = await get(model, page, {}, signal);
        const parsed = treeSchema.safeParse(await readJson(answer, { service: HUB, signal }));
        if (!parsed.success) throw nonsense(HUB, 'it is no list of files', parsed.error);
        files.push(...parsed.data.filter(({ type }) => type === 'file').map(toFile));
        page = nextPage(answer, page);
      }
      return files;
    },
    open: (model, path, offset, signal) =>
      get(
        model,
        new URL(`${model}/resolve/main/${path.split('/').map(encodeURIComponent).join('/')}`, base),
        // A compressed body has another length and no ranges.
        { 'accept-encoding': 'identity', ...(offset > 0 && { range: `bytes=${offset}-` }) },
        signal,
      ),
  };
}

function parseAddress(url: string): URL {
  const base = URL.parse(url.endsWith('/') ? url : `${url}/`);
  if (base && /^https?:$/.test(base.protocol)) return base;
  throw new DocfuseError(
    'config',
    `The address of the model hub is no address: ${url}`,
    'Set DOCFUSE_HUB to one that begins with https://, or unset it.',
  );
}

function toFile({ path, size, oid, lfs }: z.output<typeof treeSchema>[number]): HubFile {
  return lfs
    ? { path, size: lfs.size, checksum: `sha256:${lfs.oid.replace(/^sha256:/, '')}` }
    : { path, size, checksum: `git:${oid}` };
}

/** The address of the next page. Uses only the query of the link: a mirror may return links to the original hub. */
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
      `The authors of ${model} give it only to people who asked for it (${status} from ${host}).`,
      `Accept its terms on its page, then set HF_TOKEN to a token of yours${withToken ? ' that may read it' : ''}.`,
    );
  }
  if (status === 401 || status === 404) {
    return new DocfuseError(
      'not_found',
      `${host} has no model ${model}${withToken ? ' that your token may read' : ''}, or not the file that was asked for.`,
      'Check the name, which is of the form org/name; a private model needs a token in HF_TOKEN.',
    );
  }
  return new DocfuseError(
    'remote',
    `${host} answered ${status} when asked for ${model}.`,
    status === 429
      ? 'Wait a few minutes and run it again; what has come is kept.'
      : 'Run it again later; what has come is kept.',
  );
}
