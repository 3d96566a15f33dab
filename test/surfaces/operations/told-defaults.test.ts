/** Defaults told in help are those that hold: descriptions are text, and the code that has the number stands elsewhere. */
import { expect, test } from 'vitest';
import { settingsSchema } from '../../../src/engine/config/settings.ts';
import { USUAL_LIMIT as AUDIT_LIMIT } from '../../../src/engine/documents/audit-documents.ts';
import { USUAL_LIMIT as MAP_LIMIT } from '../../../src/engine/documents/document-map.ts';
import {
  USUAL_NODES as GRAPH_LIMIT,
  USUAL_LIMIT as LIST_LIMIT,
} from '../../../src/engine/documents/list-documents.ts';
import { USUAL_DEAL } from '../../../src/engine/evaluate/tune.ts';
import { createProgram } from '../../../src/surfaces/cli/program.ts';
import { USUAL_POOL } from '../../../src/surfaces/operations/evaluate.ts';
import { fieldsOf, nameOf } from '../../../src/surfaces/operations/fields.ts';
import { operations } from '../../../src/surfaces/operations/operations.ts';

const { search, server } = settingsSchema.parse({});

/** Where the schema of the field says none: what stands in for it. */
const ELSEWHERE: Readonly<Record<string, string | number>> = {
  'search.top_n': search.top_n,
  'search.min_confidence': search.min_confidence,
  'search_with_hypothesis.top_n': search.top_n,
  'search_with_hypothesis.min_confidence': search.min_confidence,
  'search_everywhere.top_n': search.top_n,
  'search_everywhere.min_confidence': search.min_confidence,
  'ask.top_n': search.top_n,
  'ask.min_confidence': search.min_confidence,
  // Every candidate counts, whatever the settings say.
  'eval.min_confidence': 0,
  'eval.top_n': USUAL_POOL,
  'list.limit': LIST_LIMIT,
  'graph.limit': GRAPH_LIMIT,
  'map.limit': MAP_LIMIT,
  'audit.limit': AUDIT_LIMIT,
  'tune.folds': USUAL_DEAL.folds,
  'tune.seed': USUAL_DEAL.seed,
  'serve.port': server.port,
  'serve.host': server.host,
};

const idle = async () => {};
const serve = createProgram({ operation: idle, server: idle }).commands.find(
  (command) => command.name() === 'serve',
)!;

const TOLD = [
  ...operations.flatMap((operation) =>
    fieldsOf(operation).map((field) => ({
      name: `${operation.name}.${nameOf(field)}`,
      text: field.description,
      own: field.schema.default,
    })),
  ),
  ...serve.options.map((option) => ({
    name: `serve.${option.name()}`,
    text: option.description,
    own: undefined,
  })),
].flatMap(({ name, text, own }) => {
  const [, told] = /\(default: ([\d.]+)\)/.exec(text) ?? [];
  return told === undefined ? [] : [{ name, told, holds: own ?? ELSEWHERE[name] }];
});

test.each(TOLD)('$name: $told', ({ told, holds }) => {
  expect(told).toBe(String(holds));
});

test('all of them are looked at', () => {
  const told = TOLD.map(({ name }) => name);
  expect(told).toEqual(expect.arrayContaining(Object.keys(ELSEWHERE)));
});
