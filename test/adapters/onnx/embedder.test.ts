import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packBatches } from '../../../src/adapters/encoding/model-inputs.ts';
import { createOnnxEmbedder } from '../../../src/adapters/onnx/embedder.ts';
import { openModelFolder } from '../../../src/adapters/onnx/model-folder.ts';
import { createTextEncoder, createTokenEncoder } from '../../../src/adapters/onnx/text-encoder.ts';
import { embedderContract } from '../../contracts/embedder-contract.ts';
import { DEFAULT_MODEL, MORE_MODELS } from './models.ts';

interface Golden {
  readonly texts: readonly { readonly text: string; readonly ids: number[]; readonly vector: number[] }[];
}

const golden = (JSON.parse(readFileSync(join(DEFAULT_MODEL, 'golden.json'), 'utf8')) as Golden).texts;
const texts = golden.map(({ text }) => text);

embedderContract('bge-small in two threads', () => createOnnxEmbedder({ folder: DEFAULT_MODEL, workers: 2 }));

describe('bge-small against the original fp32 model', () => {
  test('token ids are equal', async () => {
    const encode = await createTokenEncoder(await openModelFolder(DEFAULT_MODEL));
    for (const { text, ids } of golden) expect(encode(text)).toEqual(ids);
  });

  test('cosines are at least 0.993, and 0.998 in the mean', async () => {
    const embedder = await createOnnxEmbedder({ folder: DEFAULT_MODEL });
    const vectors = await embedder.embedPassages(texts);
    await embedder.close();
    const cosines = golden.map(({ vector }, i) => vector.reduce((sum, x, j) => sum + x * vectors[i]![j]!, 0));
    expect(Math.min(...cosines)).toBeGreaterThanOrEqual(0.993);
    expect(cosines.reduce((sum, x) => sum + x) / cosines.length).toBeGreaterThanOrEqual(0.998);
  });

  test('a text alone, padded and in a mixed batch gives identical bits', async () => {
    const model = await openModelFolder(DEFAULT_MODEL);
    const tokenize = await createTokenEncoder(model);
    const lengths = texts.map((text) => tokenize(text).length);
    const padded = packBatches(lengths).filter((batch) => new Set(batch.map((i) => lengths[i])).size > 1);
    expect(padded.length).toBeGreaterThan(2);

    const encoder = await createTextEncoder(model);
    const mixed = await encoder.encode(texts);
    for (const [i, text] of texts.entries()) {
      expect(await encoder.encode([text])).toEqual(mixed.slice(i * 384, (i + 1) * 384));
    }
    await encoder.close();
  });

  test('queries carry the instruction, passages do not', async () => {
    const embedder = await createOnnxEmbedder({ folder: DEFAULT_MODEL, workers: 1 });
    const query = await embedder.embedQuery('tides');
    const instruction = 'Represent this sentence for searching relevant passages: ';
    const [asPassage, written] = await embedder.embedPassages(['tides', `${instruction}tides`]);
    expect(query).toEqual(written);
    expect(query).not.toEqual(asPassage);
    await embedder.close();
  });
});

const reason = 'needs DOCFUSE_TEST_MODELS, a folder with multilingual-e5-small and all-MiniLM-L6-v2';
if (MORE_MODELS === undefined) {
  test.skip(`other BERT-like models: ${reason}`, () => {});
} else {
  const models = MORE_MODELS;
  const folder = (name: string) => join(models, name);
  embedderContract('multilingual-e5-small', () =>
    createOnnxEmbedder({ folder: folder('multilingual-e5-small'), workers: 1 }),
  );

  describe('other BERT-like models', () => {
    test('e5 finds the passage of another language, by its prefixes', async () => {
      const embedder = await createOnnxEmbedder({ folder: folder('multilingual-e5-small'), workers: 1 });
      const passages = ['Кошка спит на диване.', 'Курс акций упал.', '月が潮を動かす。'];
      expect(await nearest(embedder, 'What moves the tides?', passages)).toBe(2);
      expect(await nearest(embedder, 'Where does the cat sleep?', passages)).toBe(0);
      const [written] = await embedder.embedPassages(['x']);
      expect(await embedder.embedQuery('x')).not.toEqual(written);
      await embedder.close();
    });

    test('MiniLM works without config.json', async () => {
      const embedder = await createOnnxEmbedder({ folder: folder('all-MiniLM-L6-v2'), workers: 1 });
      expect(embedder.dimensions).toBe(384);
      expect(embedder.model).toMatch(/^all-MiniLM-L6-v2@[0-9a-f]{12}$/);
      const passages = ['The stock market fell.', 'Boiling an egg takes six minutes.'];
      expect(await nearest(embedder, 'How long do eggs cook?', passages)).toBe(1);
      await embedder.close();
    });

    test('a cross-encoder is refused', async () => {
      const embedder = await createOnnxEmbedder({ folder: folder('overlap-cross-encoder') });
      await expect(embedder.embedQuery('x')).rejects.toMatchObject({ code: 'model_invalid' });
      await embedder.close();
    });
  });
}

type Embedder = Awaited<ReturnType<typeof createOnnxEmbedder>>;

async function nearest(embedder: Embedder, query: string, passages: readonly string[]): Promise<number> {
  const asked = await embedder.embedQuery(query);
  const cosines = (await embedder.embedPassages(passages)).map((vector) =>
    vector.reduce((sum, x, i) => sum + x * asked[i]!, 0),
  );
  return cosines.indexOf(Math.max(...cosines));
}
