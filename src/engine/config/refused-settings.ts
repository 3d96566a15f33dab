/** Settings by which a configuration file that was found, and that nobody named, would send something out or let others in. */
import { DocfuseError } from '../../core/errors.ts';
import { embeddingTraits } from './embedding-traits.ts';
import { isLoopback } from './loopback.ts';
import { PACKAGED_MODEL, type Settings } from './settings.ts';

/** What a file asks for and is not given; nothing of this section may be used. */
export interface Refusal {
  readonly section: 'embedding' | 'answer' | 'server';
  /** What the file asks for, one sentence with its line. */
  readonly message: string;
  readonly remedy: string;
}

/** The file that is not trusted, and where the user can say that it is. */
export interface FoundFile {
  /** Absolute. */
  readonly file: string;
  /** `file:line` of a setting that holds because this file says so; undefined for one that holds for another reason. */
  whereOf(key: string): string | undefined;
  /** What to write into the user's own file, and where. */
  readonly howToTrust: string;
}

const STAY_HERE = `If not, search on this machine with --set embedding.provider=local --set embedding.model=${PACKAGED_MODEL}.`;

/** One for each section at most, for what holds in the end: a setting that the user outweighs asks for nothing. */
export function refusedSettings(settings: Settings, found: FoundFile): readonly Refusal[] {
  const { embedding, server } = settings;
  const remedy = `If you want that, ${found.howToTrust}, or name this file yourself with --config ${found.file}.`;
  const refuse = (section: Refusal['section'], names: readonly string[], asks: string): Refusal[] => {
    const where = names
      .map((name) => found.whereOf(`${section}.${name}`))
      .find((place) => place !== undefined);
    if (where === undefined) return [];
    const message = `${where}, which is not trusted, asks docfuse to ${asks}.`;
    return [{ section, message, remedy: section === 'embedding' ? `${remedy} ${STAY_HERE}` : remedy }];
  };
  const send = (section: 'embedding' | 'answer', what: string): Refusal[] => {
    const { base_url, api_key_env } = settings[section];
    if (base_url === undefined) return [];
    const url = URL.parse(base_url);
    if (url && isLoopback(url.hostname)) return [];
    const asks = `send ${what} to ${url?.host || base_url}, with the key in ${api_key_env}`;
    return refuse(section, ['base_url', 'api_key_env', 'provider'], asks);
  };
  return [
    ...(embeddingTraits(embedding).staysOnThisMachine ? [] : send('embedding', 'documents and questions')),
    ...send('answer', 'questions and passages'),
    ...[
      ...(isLoopback(server.host)
        ? []
        : refuse('server', ['host'], `serve other machines at ${server.host}`)),
      ...(server.allowed_hosts.length === 0
        ? []
        : refuse('server', ['allowed_hosts'], `be reached by the name ${server.allowed_hosts.join(', ')}`)),
      ...(server.allowed_origins.length === 0
        ? []
        : refuse('server', ['allowed_origins'], `answer pages of ${server.allowed_origins.join(', ')}`)),
      ...refuse('server', ['token_env'], `take the token of its server from ${server.token_env}`),
    ].slice(0, 1),
  ];
}

/** @throws DocfuseError `config` where a file that is not trusted has a say in this section */
export function requireTrusted(
  { refusals }: { readonly refusals: readonly Refusal[] },
  section: Refusal['section'],
): void {
  const refusal = refusals.find((each) => each.section === section);
  if (refusal) throw new DocfuseError('config', refusal.message, refusal.remedy);
}
