import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkDocument, DEFAULT_CHUNKING } from '../../src/core/chunk/chunk-document.ts';
import { contentHash, embeddingText } from '../../src/core/chunk/chunk-head.ts';
import { createCodeRetriever } from '../../src/core/indexes/code.ts';
import { createDocumentIndex } from '../../src/core/indexes/documents.ts';
import { createKeywordRetriever } from '../../src/core/indexes/keyword.ts';
import { passageEntries, wholeEntry } from '../../src/core/indexes/word-entries.ts';
import { parseDocument } from '../../src/core/markdown/parse-document.ts';
import { readBatch } from '../../src/core/read-batch.ts';
import { AUTO_ANALYZER, chooseAnalyzers } from '../../src/core/text/analyzer.ts';
import { plainDigest } from '../../src/core/text/digest.ts';
import { fastDigest, vectorKey } from '../../src/engine/workspace/vector-key.ts';
import { markdownFile } from '../support/markdown-arbitrary.ts';

const RULES = {
  analyzers: chooseAnalyzers(),
  chunking: DEFAULT_CHUNKING,
  hash: vectorKey,
  digest: fastDigest,
};

describe('readBatch', () => {
  test('gives what the plain functions give for each text, and their words numbered across the batch', () => {
    fc.assert(
      fc.property(fc.array(markdownFile, { maxLength: 4 }), (sources) => {
        const texts = sources.map((text, n) => ({ id: `c/${n}.md`, collection: 'c', path: `${n}.md`, text }));
        const { documents, words } = readBatch(texts, RULES);

        let slot = 0;
        const plain = texts.map(({ id, path, text }, number) => {
          const parsed = parseDocument(path, text);
          const { chunks, parents } = chunkDocument(id, parsed, DEFAULT_CHUNKING);
          return { number, path, fields: parsed, parsed, chunks, parents, slots: chunks.map(() => slot++) };
        });
        const idOf = () => '';
        const passages = plain.flatMap((document) => passageEntries(document, AUTO_ANALYZER));
        expect(words).toEqual({
          code: createCodeRetriever({ idOf, queryTerms: () => [] }).add(passages),
          documents: createDocumentIndex().add(plain.map((document) => wholeEntry(document, AUTO_ANALYZER))),
          chunks: createKeywordRetriever({ idOf }).add(passages),
        });
        expect(documents).toMatchObject(
          plain.map(({ path, parsed, chunks, parents }) => ({
            ...{ id: `c/${path}`, collection: 'c', path, chunks, parents },
            ...{ links: parsed.links, warnings: parsed.warnings, frontMatter: parsed.frontMatter },
            vectorKeys: chunks.map((chunk) => vectorKey(embeddingText(chunk))),
            contents: chunks.map((chunk) => contentHash(chunk)),
          })),
        );
      }),
      { numRuns: 60 },
    );
  });

  test('what Node digests is what the plain digest gives', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fastDigest(text)).toBe(plainDigest(text));
      }),
    );
    expect(fastDigest('\ud800')).toBe(plainDigest('\ufffd'));
  });
});
