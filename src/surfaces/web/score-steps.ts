/** The steps of an explanation for readers who do not know them: their names, and where the bars show them. */

/** What a reader knows. Each has a colour. */
export const GROUPS = ['Meaning', 'Words', 'Title and headings', 'Links', 'Names in code'] as const;

interface Step {
  readonly name: string;
  /** The group that the number of a lane belongs to. */
  readonly group?: (typeof GROUPS)[number];
  /** A stage changes the number that orders the hits. One with `own` gives a number of another kind, which has no bar. */
  readonly stage?: 'shared' | 'own';
}

/** By label; stages in the order in which they run. A step without an entry is shown by its label. */
export const STEPS: Readonly<Record<string, Step>> = {
  score: { name: 'Score' },
  confidence: { name: 'How sure it is' },
  fused: { name: 'What matched', stage: 'shared' },
  'fused + likeness': { name: 'With its likeness to the best passages', stage: 'shared' },
  'fused × recency': { name: 'Raised for new documents', stage: 'shared' },
  'fused × community': { name: 'Raised by linked documents', stage: 'shared' },
  'fused, for an exact match': { name: 'The words stand there exactly', stage: 'shared' },
  'reranked by': { name: 'Read again by a second model', stage: 'own' },
  MMR: { name: 'Less what hits above say already', stage: 'own' },
  evidence: { name: 'Sum in absolute numbers' },
  recency: { name: 'How new the document is' },
  'likeness to the best': { name: 'Like the best passage in meaning', group: 'Meaning' },
  semantic: { name: 'Close to the query in meaning', group: 'Meaning' },
  subject: { name: 'Close to the subject of the query', group: 'Meaning' },
  keyword: { name: 'Words of the query in the passage', group: 'Words' },
  coverage: { name: 'Share of the query that the passage has', group: 'Words' },
  nearness: { name: 'Words of the query close together', group: 'Words' },
  document: { name: 'Words of the query in the whole document', group: 'Words' },
  title: { name: 'Words of the query in the title', group: 'Title and headings' },
  name: { name: 'Words of the query in the name of the file', group: 'Title and headings' },
  heading: { name: 'Words of the query in the headings', group: 'Title and headings' },
  graph: { name: 'Links from other good hits', group: 'Links' },
  code: { name: 'Names in code', group: 'Names in code' },
};

/** What the search calls the probability that a hit is the right one. */
export const LEAD = 'likely right, by its lead over the documents below';
