/** Encoders that are not BERT: in the form of ModernBERT and of EmbeddingGemma, against other implementations. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createOnnxEmbedder } from '../../../src/adapters/onnx/embedder.ts';
import { openModelFolder } from '../../../src/adapters/onnx/model-folder.ts';
import { createTokenEncoder } from '../../../src/adapters/onnx/text-encoder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Encoded {
  readonly ids: readonly number[];
  readonly vector: readonly number[];
}
interface Golden {
  readonly text: string;
  readonly query: Encoded;
  readonly passage: Encoded;
}

const folderOf = (name: string) => fileURLToPath(new URL(`../../fixtures/encoders/${name}`, import.meta.url));
const goldenOf = (name: string): readonly Golden[] =>
  JSON.parse(readFileSync(join(folderOf(name), 'golden.json'), 'utf8'));

function expectNear(vector: Float32Array, expected: readonly number[]): void {
  expect(vector).toHaveLength(expected.length);
  expect(Math.max(...vector.map((value, at) => Math.abs(value - expected[at]!)))).toBeLessThan(1e-5);
}

describe.each([
  ['modern-bert', 16, ['', ''], 8192],
  ['embedding-gemma', 8, ['task: search result | query: ', 'title: none | text: '], 2048],
] as const)('%s', (name, dimensions, [queryPrefix, passagePrefix], maxTokens) => {
  const golden = goldenOf(name);

  test('has prefixes, pooling and longest input of its files', async () => {
    const { profile } = await openModelFolder(folderOf(name));
    expect(profile).toMatchObject({ queryPrefix, passagePrefix, pooling: 'mean', maxTokens });
  });

  test('has the token ids of the reference, cut at its longest input', async () => {
    const encode = await createTokenEncoder(await openModelFolder(folderOf(name)));
    for (const { text, query, passage } of golden) {
      expect(encode(queryPrefix + text)).toEqual(query.ids);
      expect(encode(passagePrefix + text)).toEqual(passage.ids);
    }
    const long = encode('moon '.repeat(3_000));
    expect(long).toHaveLength(maxTokens);
    expect(long.at(-1)).toBe(golden[0]!.query.ids.at(-1));
  });

  test('has the vectors of the reference, for queries and for passages in batches', async () => {
    const embedder = await createOnnxEmbedder({ folder: folderOf(name), workers: 1 });
    expect(embedder.dimensions).toBe(dimensions);
    for (const { text, query } of golden) expectNear(await embedder.embedQuery(text), query.vector);
    const vectors = await embedder.embedPassages(golden.map(({ text }) => text));
    golden.forEach(({ passage }, at) => {
      expectNear(vectors[at]!, passage.vector);
    });
    await embedder.close();
  });
});

test('prompts of EmbeddingGemma are known by name where a repository has only its ONNX files', async () => {
  const folder = temporaryFolder();
  for (const part of ['onnx', 'tokenizer.json', 'tokenizer_config.json'])
    cpSync(join(folderOf('embedding-gemma'), part), join(folder, part), { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ hidden_size: 8, pad_token_id: 0 }));
  const name = 'onnx-community/embeddinggemma-300m-ONNX';
  const embedder = await createOnnxEmbedder({ folder, name, workers: 1 });
  const { text, query, passage } = goldenOf('embedding-gemma')[1]!;
  expectNear(await embedder.embedQuery(text), query.vector);
  expectNear((await embedder.embedPassages([text]))[0]!, passage.vector);
  await embedder.close();
});
