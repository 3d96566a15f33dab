/** The table of contents of our search: every stage, in order. A mode changes which lanes weigh. */
import { limitPerDocument } from '../rank/limit-per-document.ts';
import { calibrateCandidates } from './calibrate-candidates.ts';
import { fuseCandidates } from './fuse-candidates.ts';
import { narrow } from './narrow.ts';
import { present } from './present.ts';
import { retrieve } from './retrieve.ts';
import type { SearchState, Stage } from './state.ts';

export const STAGES: readonly Stage[] = [
  { name: 'narrow', run: narrow },
  { name: 'retrieve', run: retrieve },
  { name: 'fuse', run: fuseCandidates },
  { name: 'calibrate', run: calibrateCandidates },
  { name: 'threshold', run: threshold },
  { name: 'document_limit', run: limitDocuments },
  { name: 'top', run: takeTop },
  { name: 'present', run: present },
];

function threshold(state: SearchState): SearchState {
  const { minConfidence } = state.request;
  return { ...state, candidates: state.candidates.filter(({ score }) => score >= minConfidence) };
}

function limitDocuments(state: SearchState): SearchState {
  const limit = state.request.settings.maxChunksPerDoc;
  return { ...state, candidates: limitPerDocument(state.candidates, ({ document }) => document, limit) };
}

function takeTop(state: SearchState): SearchState {
  return { ...state, candidates: state.candidates.slice(0, state.request.topN) };
}
