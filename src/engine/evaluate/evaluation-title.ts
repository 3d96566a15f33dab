/** What was measured, in one line above its figures. */
import type { Evaluation } from './evaluation.ts';

/** Set, documents, judged queries, model. */
export function evaluationTitle({ set, documents, queries, model }: Evaluation): string {
  return `${set}: ${count(documents, 'document', 'documents')}, ${count(queries, 'judged query', 'judged queries')}, ${model}`;
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}
