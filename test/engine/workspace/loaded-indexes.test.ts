import { expect, test } from 'vitest';
import { chooseAnalyzers } from '../../../src/core/text/analyzer.ts';
import { loadIndexes } from '../../../src/engine/workspace/loaded-indexes.ts';
import { sampleDocument } from '../../adapters/store/sample.ts';
import { createReferenceStore } from '../../support/reference-store.ts';

test('a document that another process removes while its words are made again is left out', () => {
  const store = createReferenceStore();
  const gone = store.putDocument(sampleDocument('gone.md', ['lantern']));
  store.putDocument(sampleDocument('kept.md', ['lantern']));
  const meanwhile = {
    ...store,
    document: (number: number) => (number === gone.number ? undefined : store.document(number)),
  };
  const { keyword } = loadIndexes(meanwhile, chooseAnalyzers());
  expect(keyword.countOf('lantern')).toBe(1);
});
