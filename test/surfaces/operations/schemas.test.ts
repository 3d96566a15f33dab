/** Pins what every surface promises; after a deliberate change run with `--update` and read the difference. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { openapiDocument, routesOf } from '../../../src/surfaces/http/openapi.ts';
import type { Operation } from '../../../src/surfaces/operations/operation.ts';
import { operations } from '../../../src/surfaces/operations/operations.ts';

const table: readonly Operation[] = operations;
const print = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

test('the OpenAPI document', async () => {
  const document = openapiDocument(routesOf(table), '0.0.0', false);
  await expect(print(document)).toMatchFileSnapshot('../../pins/openapi.json');
});

test('answers of what only the command line offers', async () => {
  const answers = table
    .filter(({ http }) => http === undefined)
    .map(({ name, output }) => [name, z.toJSONSchema(output, { io: 'input' })] as const);
  await expect(print(Object.fromEntries(answers))).toMatchFileSnapshot('../../pins/answers.json');
});
