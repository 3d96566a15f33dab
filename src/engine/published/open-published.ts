/** Opens an index that is published on a server. It answers all calls that only read, but makes no map and no export. */
import { DocfuseError } from '../../core/errors.ts';
import type { Clock } from '../../core/ports.ts';
import type { Check, Index, OpenOptions } from '../api.ts';
import { checkCall, type Method, type ReadingOptions } from '../check-options.ts';
import type { Config } from '../config/config.ts';
import type { PublishedAddress } from '../config/published-address.ts';
import { settingsByPreset } from '../config/search-settings.ts';
import { auditDocuments } from '../documents/audit-documents.ts';
import { documentGraph, listDocuments, listTags } from '../documents/list-documents.ts';
import { readDocument } from '../documents/read-document.ts';
import { relatedDocuments } from '../documents/related-documents.ts';
import type { Applied } from '../filters.ts';
import { lateReplica } from '../search/notice.ts';
import { search, searchWithHypothesis } from '../search/search.ts';
import { syncNothing, watchNothing } from '../shared-index.ts';
import { createPendingTasks, withReason } from '../tasks.ts';
import type { ReadableWorkspace } from '../workspace/workspace.ts';
import { openEngine } from './open-engine.ts';
import { createPublished, factsOf, type Published } from './published-workspace.ts';

interface PublishedOptions {
  readonly address: PublishedAddress;
  readonly config: Config;
  readonly options: OpenOptions;
  readonly clock: Clock;
  readonly models: Omit<Parameters<typeof createPublished>[0], 'openEngine' | 'address'>;
}

const DAY_MS = 86_400_000;
const REPLICA =
  'See pg_stat_wal_receiver on the replica and pg_stat_replication on its primary, or ask the primary.';

export function openPublished({ address, config, options, clock, models }: PublishedOptions): Index {
  const indexPath = address.shown;
  const published = createPublished({
    ...models,
    address: indexPath,
    openEngine: () => openEngine(address, config.settings),
  });
  const cwd = options.cwd ?? process.cwd();
  const settingsOf = settingsByPreset(config, options.preset);
  const tasks = createPendingTasks();
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= tasks.settled().then(published.close));

  function requireOpen(): void {
    if (closed) throw new DocfuseError('usage', 'The index is closed.', 'Open it again.');
  }

  /** Checks the call and runs `ask`. If the publication was replaced or lost passages meanwhile, runs `ask` once more. */
  function answer<Options extends ReadingOptions, T>(
    method: Method,
    texts: Readonly<Record<string, unknown>>,
    given: Options,
    ask: (index: Published & typeof SHARED, applied: Applied<Options>) => Promise<T>,
  ): Promise<T> {
    const work = async () => {
      requireOpen();
      const applied = checkCall(method, texts, given, clock.now());
      const once = async () => ask({ ...(await published.current()), ...SHARED }, applied);
      const found = once().catch((error) => {
        if (error.code !== 'index_missing') throw error;
        return once();
      });
      return withReason(found, given.signal);
    };
    return tasks.track(work());
  }
  const SHARED = { clock, collections: [], refresh: () => false, checkWords: () => {} };

  /** Makes a call that is answered from the documents of the publication. */
  const over =
    <Options, T>(ask: (documents: ReadableWorkspace, applied: Options) => T | Promise<T>) =>
    async (index: Published, applied: Options): Promise<T> =>
      ask(await index.documents(), applied);

  const refusalOf = (what: string) =>
    new DocfuseError(
      'usage',
      `${indexPath} is a published copy and offers no ${what}.`,
      'Ask for it on the machine that publishes the index.',
    );
  const elsewhere = (what: string) => () => Promise.reject(refusalOf(what));

  return {
    indexPath,
    async sync(asked) {
      requireOpen();
      return syncNothing(asked, () => refusalOf('indexing'));
    },
    watch: watchNothing,
    search: (query, asked = {}) =>
      answer('search', { query }, asked, (index, applied) =>
        search(index, settingsOf(applied.preset), query, applied),
      ),
    searchWithHypothesis: (hypothesis, asked = {}) =>
      answer('searchWithHypothesis', { hypothesis }, asked, (index, applied) =>
        searchWithHypothesis(index, settingsOf(applied.preset), hypothesis, applied),
      ),
    read: (document, asked = {}) =>
      answer('read', { document }, asked, async (index, applied) =>
        readDocument(await index.documents(), document, applied, cwd),
      ),
    related: (document, asked = {}) =>
      answer('related', { document }, asked, async (index, applied) =>
        relatedDocuments(await index.documents(), document, applied, cwd),
      ),
    list: (asked = {}) => answer('list', {}, asked, over(listDocuments)),
    tags: (asked = {}) => answer('tags', {}, asked, over(listTags)),
    graph: (asked = {}) => answer('graph', {}, asked, over(documentGraph)),
    audit: (asked = {}) => answer('audit', {}, asked, over(auditDocuments)),
    map: elsewhere('map'),
    export: elsewhere('export'),
    collections: (asked = {}) =>
      answer('collections', {}, asked, async ({ state }) =>
        state.collections.map(({ name, documents }) => ({ name, root: indexPath, documents })),
      ),
    status: (asked = {}) =>
      answer('status', {}, asked, async ({ state, limits }) => ({
        index: factsOf(state),
        indexPath,
        bytes: 0,
        keptVectors: 0,
        links: 0,
        skipped: [],
        // Collections are not shown, because their folders are on another machine.
        collections: [],
        unresolvedLinks: { count: 0, examples: [] },
        communities: { count: 0, largest: [] },
        warnings: [
          {
            path: '',
            message: `${state.publisher} published it ${ageOf(state.published)}: ${state.collections.map(({ name, documents }) => `${name} (${documents})`).join(', ')}.`,
          },
          ...[lateReplica(factsOf(state)), limits].flatMap((message) =>
            message ? [{ path: '', message }] : [],
          ),
        ],
      })),
    check: (asked = {}) => tasks.track(check(asked.signal)),
    close,
    [Symbol.asyncDispose]: close,
  };

  /** `2026-11-26T…` → `3 days ago` */
  function ageOf(time: string): string {
    const days = Math.floor((clock.now() - Date.parse(time)) / DAY_MS);
    return days < 1 ? `at ${time}` : `${days} ${days === 1 ? 'day' : 'days'} ago`;
  }

  async function check(signal: AbortSignal | undefined): Promise<readonly Check[]> {
    requireOpen();
    const found: Check[] = [];
    const examine = async (name: string, look: () => Promise<string>): Promise<void> => {
      signal?.throwIfAborted();
      try {
        found.push({ name, state: 'ok', detail: await look() });
      } catch (error) {
        if (!(error instanceof DocfuseError)) throw error;
        if (!found.some(({ detail }) => detail === error.message))
          found.push({ name, state: 'failure', detail: error.message, remedy: error.remedy });
      }
    };
    await examine('published', async () => {
      const { state } = await published.current();
      const { documents, passages } = state;
      const late = lateReplica(factsOf(state));
      if (late) found.push({ name: 'replica', state: 'warning', detail: late, remedy: REPLICA });
      return `${indexPath} holds ${documents.count} documents and ${passages.count} passages; ${state.publisher} published it ${ageOf(state.published)}.`;
    });
    await examine('abilities', async () => (await published.current()).limits);
    await examine('model', async () => {
      const { state } = await published.current();
      if (state.dimensions === 0) return 'No passage was published with a vector, so searches are by words.';
      return `${(await published.embedderFor(state)).model} made the published vectors, and embeds queries here.`;
    });
    await examine('query', async () => {
      const began = clock.monotonic();
      const index = { ...(await published.current()), ...SHARED };
      await search(index, settingsOf(undefined), 'words of a question', { minConfidence: 0 });
      return `A search is answered in ${Math.round(clock.monotonic() - began)} ms.`;
    });
    return found;
  }
}
