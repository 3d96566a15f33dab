/** Plain names for the steps of an explanation, and how the bars show each step. */

/** Kinds of lanes in words that readers know. Each has a colour. */
export const GROUPS = ['Meaning', 'Words', 'Title and headings', 'Links', 'Names in code'] as const;

interface Step {
  readonly name: string;
  /** The group that a lane belongs to. */
  readonly group?: (typeof GROUPS)[number];
  /** Set if the step changes the score that orders the hits. `shared` steps have bars on one scale; `own` steps have no bars. */
  readonly stage?: 'shared' | 'own';
}

/** The steps by label, stages in the order in which they run. A step without an entry is shown by its label. */
export const STEPS: Readonly<Record<string, Step>> = {
  score: { name: 'Score' },
  confidence: { name: 'How sure it is' },
  fused: { name: 'What matched', stage: 'shared' },
  'fused + likeness': { name: 'With likeness to the best passages', stage: 'shared' },
  'fused × recency': { name: 'Raised for new documents', stage: 'shared' },
  'fused × community': { name: 'Raised by linked documents', stage: 'shared' },
  'fused, for an exact match': { name: 'Raised for an exact match', stage: 'shared' },
  'reranked by': { name: 'Read again by a second model', stage: 'own' },
  MMR: { name: 'Lowered if hits above say the same', stage: 'own' },
  evidence: { name: 'Sum in absolute numbers' },
  recency: { name: 'How new the document is' },
  'likeness to the best': { name: 'Like the best passage in meaning', group: 'Meaning' },
  semantic: { name: 'Close to the query in meaning', group: 'Meaning' },
  subject: { name: 'Close to the subject of the query', group: 'Meaning' },
  keyword: { name: 'Words of the query in the passage', group: 'Words' },
  coverage: { name: 'How much of the query the passage matches', group: 'Words' },
  nearness: { name: 'Words of the query close together', group: 'Words' },
  document: { name: 'Words of the query in the whole document', group: 'Words' },
  title: { name: 'Words of the query in the title', group: 'Title and headings' },
  name: { name: 'Words of the query in the name of the file', group: 'Title and headings' },
  heading: { name: 'Words of the query in the headings', group: 'Title and headings' },
  graph: { name: 'Links from other good hits', group: 'Links' },
  code: { name: 'Names in code', group: 'Names in code' },
};

/** Label of the step that says how probably a hit is the right one. */
export const LEAD = 'likely right, by its lead over the documents below';
