/** Definitions in the keyword index: they come and go with their passages, and no word counts less for them. */
import { expect, test } from 'vitest';
import { createKeywordRetriever } from '../../../src/core/indexes/keyword.ts';
import { decodeSegment, encodeSegment } from '../../../src/core/indexes/segment-codec.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { memoryIndex } from '../../support/memory-services.ts';

const DEFINED = 'A user interface (UI) has users.';

function retrieverOf(...texts: readonly string[]) {
  const { parts } = memoryIndex(texts.map((text, index) => ({ path: `${index}.md`, text })));
  return parts.keyword as ReturnType<typeof createKeywordRetriever>;
}

const said = (retriever: ReturnType<typeof retrieverOf>, term: string) =>
  retriever.longFormsOf(term).map((words) => words.map((word) => word.term).join(' '));

test('long forms come with the most usual first, and short ones by their words', () => {
  const retriever = retrieverOf(DEFINED, 'Every UI (user interaction) counts.', 'The user interfaces (UIs)');
  expect(said(retriever, 'ui')).toEqual(['user interfac', 'user interact']);
  expect(retriever.shortFormsOf(['user', 'interfac'])).toEqual(['ui']);
  expect(retriever.shortFormsOf(['user'])).toEqual([]);
  expect(said(retriever, 'user')).toEqual([]);
});

test('short forms that are as usual come in one order, however segments lie', () => {
  const texts = ['The user interface (UIF) is one.', 'The user interface (UI) is one.'];
  const orders = [texts, texts.toReversed()].map((all) => {
    const apart = createKeywordRetriever({ idOf: String });
    for (const [slot, text] of all.entries()) {
      const [segment] = retrieverOf(text).segments();
      apart.load({ ...segment!, units: Uint32Array.of(slot) }, () => true);
    }
    return apart.shortFormsOf(['user', 'interfac']);
  });
  expect(orders).toEqual([
    ['ui', 'uif'],
    ['ui', 'uif'],
  ]);
});

test('words that are not indexed, and names of two words, make no definition', () => {
  const retriever = retrieverOf('As a primer I (API) say it', 'The Node Package Manager (nodePM) is one.');
  expect(said(retriever, 'api')).toEqual([]);
  expect(said(retriever, 'nodepm')).toEqual([]);
  expect(said(retrieverOf('Call the read-a-file tool (RFT).'), 'rft'), 'a part that is not indexed').toEqual(
    [],
  );
});

test('a definition goes with its passage, and is saved with its segment', () => {
  const retriever = retrieverOf(DEFINED);
  const loaded = createKeywordRetriever({ idOf: String });
  loaded.load(decodeSegment(encodeSegment(retriever.segments()[0]!)), () => true);
  expect(said(loaded, 'ui')).toEqual(['user interfac']);
  loaded.remove([0]);
  expect(said(loaded, 'ui')).toEqual([]);
  expect(said(retriever, 'ui')).toEqual(['user interfac']);
});

test('a passage is no longer for its definitions, and they are no words', () => {
  const [defined, plain] = [DEFINED, 'A user interface, UI, has users.'].map((text) => retrieverOf(text));
  for (const query of ['user', 'ui', 'us*']) {
    const parsed = parseQuery(query);
    const score = (retriever = defined!) => retriever.search({ parsed }, 5).scoreOf(0);
    expect(score()).toBeGreaterThan(0);
    expect(score()).toBe(score(plain));
  }
  expect(defined!.nearWords('uj', 1).map(({ word }) => word)).toEqual(
    plain!.nearWords('uj', 1).map(({ word }) => word),
  );
});
