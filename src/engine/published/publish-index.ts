/** Publishes an open index to the server that the settings name. */

import { hostname } from 'node:os';
import { type PublishOptions, type PublishSource, publish } from '../../adapters/published/publish.ts';
import { packWordList } from '../../adapters/published/word-list.ts';
import { partsOf } from '../../core/indexes/packed-vector.ts';
import type { SyncOptions } from '../api.ts';
import { readPostgresUrl } from '../config/published-address.ts';
import type { Settings } from '../config/settings.ts';
import { analysisOf } from '../workspace/loaded-indexes.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { openEngine } from './open-engine.ts';

interface PublishIndexOptions extends Pick<SyncOptions, 'onProgress' | 'rebuild'> {
  readonly indexPath: string;
  /** Identity of the index; undefined if there is no index. */
  readonly identity: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Publishes the state of the index at the time of the call to each server that the settings name. With `rebuild`, replaces a
 * publication of another index.
 * @param freeze opens a view of the index that does not change while others write it
 * @throws DocfuseError as `publish`
 */
export async function publishIndex(
  freeze: () => Workspace,
  settings: Pick<Settings, 'qdrant' | 'postgres'>,
  { indexPath, identity, rebuild: replace = false, signal, onProgress }: PublishIndexOptions,
): Promise<void> {
  const addresses = addressesIn(settings);
  if (identity === undefined || addresses.length === 0) return;
  const workspace = freeze();
  try {
    const source = describe(workspace, identity, indexPath);
    const options: PublishOptions = {
      now: workspace.clock.now,
      replace,
      signal,
      onProgress: (done, total) => onProgress?.({ phase: 'publish', done, total }),
    };
    for (const address of addresses) {
      const engine = await openEngine(address, settings);
      await publish(engine, source, options).finally(engine.close);
    }
  } finally {
    await workspace.close();
  }
}

function describe(workspace: Workspace, identity: string, indexPath: string): PublishSource {
  const { store, analyzers } = workspace;
  const catalog = workspace.catalog();
  const { edges, communityOf } = workspace.links();
  const links = edges();
  const facts = workspace.facts(true);
  // If there are two models, the last one embeds every passage.
  const { model, embedded } = facts.models?.at(-1) ?? facts;
  const statistics = workspace.wordStatistics();
  const analysis = analysisOf(analyzers);
  const updated = store.getState('updated');
  const headsOf = (number: number) => store.headsOf(number).map(({ document: _, ...head }) => head);
  const missing = store.countMissingVectors(model).texts > 0;
  const hasVector = (slot: number) => !missing || store.vector(model, slot) !== undefined;
  const documents = [...catalog.all()];
  const [first] = store.vectors(model);
  return {
    identity,
    publisher: `${hostname()}:${indexPath}`,
    model,
    embedded,
    documents,
    dimensions: first ? partsOf(first.packed).upper.length : 0,
    ...(updated !== undefined && { updated }),
    collections: workspace.collections.map((each) => ({
      name: each.name,
      ...(each.kind === 'git' && { kind: each.kind }),
      language: analyzers.of(each.name).language,
      documents: documents.filter(({ collection }) => collection === each.name).length,
    })),
    statistics,
    words: () => packWordList(statistics.words, statistics.wholeWords),
    factsOf(number) {
      const slots = headsOf(number).map(({ slot }) => slot);
      const linked = [...links.neighbours(number)];
      const own = [slots, slots.map(hasVector), linked, communityOf(number)];
      return JSON.stringify([analysis, store.document(number), ...own]);
    },
    read(number) {
      const record = store.document(number);
      if (!record) return undefined;
      const chunks = store.chunksOf(number);
      return {
        record,
        chunks,
        heads: headsOf(number),
        parents: store.parents([...new Set(chunks.flatMap(({ parentId }) => parentId ?? []))]),
        vectors: chunks.map(({ slot }) => store.vector(model, slot)),
        linked: links.neighbours(number),
        links: store.linksOf(number),
        community: communityOf(number),
        analyzer: analyzers.of(record.collection),
      };
    },
  };
}

function addressesIn({ qdrant, postgres }: Pick<Settings, 'qdrant' | 'postgres'>) {
  return [
    ...(qdrant.url === undefined
      ? []
      : [{ engine: 'qdrant' as const, url: new URL(qdrant.url).origin, name: qdrant.name }]),
    ...(postgres.url === undefined
      ? []
      : [{ engine: 'postgres' as const, url: readPostgresUrl(postgres.url).place, name: postgres.name }]),
  ];
}
