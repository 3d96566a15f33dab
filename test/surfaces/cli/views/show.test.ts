import { expect, test } from 'vitest';
import { asText } from '../../../../src/surfaces/cli/views/show.ts';
import { listFormats } from '../../../../src/surfaces/operations/formats.ts';

test('formats says which packages are missing, and how to install them', () => {
  const mail = { name: 'E-mail', extensions: ['eml'], names: [], packages: ['postal-mime', 'x'] };
  const notes = { name: 'Org', extensions: ['org'], names: ['NOTES'], packages: [], missing: [] };
  expect(asText(listFormats, { formats: [{ ...mail, missing: ['postal-mime'] }, notes] })).toBe(
    `E-mail  .eml        needs postal-mime
Org     .org NOTES
To read all: npm install postal-mime (with -g if docfuse was installed with -g).
`,
  );
  expect(asText(listFormats, { formats: [{ ...mail, missing: [] }] })).toBe('E-mail  .eml  postal-mime x\n');
});
