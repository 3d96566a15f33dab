/** Where to look all the same, when nothing was sure enough: the best of what was left out. */
import { snippetMaker } from '../../core/search/show-snippet.ts';
import type { SearchServices, SearchState } from '../../core/search/state.ts';
import type { NearestPassage } from '../api.ts';

/** Undefined where there are hits, and where there was nothing to leave out. */
export async function nearestPassage(
  state: SearchState,
  services: SearchServices,
): Promise<NearestPassage | undefined> {
  const { nearest, hits } = state;
  if (nearest === undefined || hits.length > 0) return undefined;
  const [document] = await services.retrieval.documents([nearest.document]);
  const [chunk] = await services.retrieval.chunks([nearest.slot]);
  if (document === undefined || chunk === undefined) return undefined;
  const { id: documentId, collection, path, title } = document;
  const { startLine: line } = snippetMaker(state, services)(nearest, chunk, collection).snippet;
  return { documentId, collection, path, title, line, score: nearest.score };
}
