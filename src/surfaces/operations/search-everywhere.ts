/** Operation `search_everywhere`: passages of all indexes on this machine. */
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import { CONFIDENCE_WORDS } from '../../core/model/hit.ts';
import type { SearchResult } from '../../engine/api.ts';
import { defineOperation } from './operation.ts';
import { search } from './search.ts';
import { hitShape, listOf } from './shapes.ts';
import { fromWire, toWire } from './wire.ts';

const foundShape = hitShape.extend({
  index: z.string().describe('Name of the index, as docfuse indexes shows it.'),
});

/** Min passages to show, if `top_n` allows it: if there are fewer hits, unsure passages are added. */
const MIN_SHOWN = 3;

export const searchEverywhere = defineOperation({
  name: 'search_everywhere',
  summary: 'Find the passages of all indexes that answer a query',
  description: 'Indexes are searched as they are: no index is brought up to date first.',
  input: () => {
    const { query, top_n, mode, filters, min_confidence, per_document, parents } = search.input.shape;
    const everywhere = z.literal(true).describe('Search all indexes on this machine, without updating them.');
    return { query, top_n, mode, filters, min_confidence, per_document, parents, everywhere };
  },
  output: () => ({
    query: z.string(),
    hits: z.array(foundShape),
    unsure: z.array(foundShape),
    indexes: z.int().describe('Number of indexes that were searched.'),
    skipped: listOf({ index: z.string(), reason: z.string() }),
    milliseconds: z.number(),
  }),
  readOnly: true,
  cli: { arguments: ['query'], optionOf: { operation: 'search', field: 'everywhere' } },
  async run({ options }, { query: asked, everywhere: _, ...given }, { signal }) {
    if (options.roots || options.indexPath) {
      throw new DocfuseError(
        'usage',
        '--everywhere asks all indexes, so it takes no paths and no --index.',
        'Leave out the paths and --index, or leave out --everywhere.',
      );
    }
    const { listIndexes } = await import('../../engine/open-indexes.ts');
    const { open } = await import('../../engine/open.ts');
    const { loadConfig } = await import('../../engine/config/config.ts');
    const began = performance.now();
    // Only settings are needed. `corpora` replaces the configured collections, because their folders may be missing.
    const { top_n: usual } = loadConfig({ ...options, corpora: ['.'] }).settings.search;
    const found: { readonly name: string; readonly result: SearchResult }[] = [];
    const skipped: { index: string; reason: string }[] = [];
    for (const { name, folder, roots } of listIndexes().indexes) {
      if (roots.length === 0) continue; // no folder was read into this index yet
      try {
        await using index = await open({ ...options, roots, indexPath: folder });
        const result = await index.search(asked, { ...fromWire(given), signal });
        found.push({ name, result });
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof DocfuseError) || error.code === 'usage') throw error;
        skipped.push({ index: name, reason: error.message });
      }
    }
    const trustOf = ({ confidence }: SearchResult['hits'][number]) => CONFIDENCE_WORDS.indexOf(confidence);
    // Two indexes may contain the same file: only the index that ranks it best gives hits from it.
    const holders = new Map<string, string>();
    const ranked = (list: 'hits' | 'unsure') =>
      found
        .flatMap(({ name, result }) => result[list].map((hit) => ({ ...hit, index: name })))
        .sort((a, b) => trustOf(a) - trustOf(b) || b.score - a.score)
        .filter(({ file, index }) => {
          if (file === undefined) return true;
          if (!holders.has(file)) holders.set(file, index);
          return holders.get(file) === index;
        });
    const most = given.top_n ?? usual;
    const hits = ranked('hits').slice(0, most);
    const unsure = ranked('unsure').slice(0, Math.max(0, Math.min(MIN_SHOWN, most) - hits.length));
    const numbered = [...hits, ...unsure].map((hit, index) => ({ ...toWire(hit), rank: index + 1 }));
    return {
      query: asked,
      hits: numbered.slice(0, hits.length),
      unsure: numbered.slice(hits.length),
      indexes: found.length,
      skipped,
      milliseconds: performance.now() - began,
    };
  },
});
