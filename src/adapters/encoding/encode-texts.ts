/** Embeds texts with an open session. Uses nothing of Node, so a browser can run it too. */
import { DocfuseError } from '../../core/errors.ts';
import { createFeeds, INPUTS, packBatches, type Runtime, type Session } from './model-inputs.ts';

export type Around = <Result>(run: () => Promise<Result>) => Promise<Result>;

/** Facts about a model that are needed to embed texts. */
export interface EncodedBy {
  /** The model file, for error messages. */
  readonly modelFile: string;
  readonly padId: number;
  readonly profile: {
    readonly pooling: 'mean' | 'cls';
    readonly layers: readonly string[];
    readonly dimensions?: number | undefined;
  };
}

/** Possible outputs of an embedding model, best first: one vector per text, or one vector per token. */
const OUTPUTS = ['sentence_embedding', 'last_hidden_state', 'token_embeddings'];

/**
 * @param tokenize returns the token ids of a text, with special tokens
 * @throws DocfuseError `model_invalid`; `config` if the vectors have fewer numbers than asked for
 */
export function createEncoder(
  runtime: Pick<Runtime, 'Tensor'>,
  session: Session,
  tokenize: (text: string) => readonly number[],
  model: EncodedBy,
) {
  const output = chooseOutput(session, model);
  const { width } = output;
  const { dimensions = width, pooling } = model.profile;
  if (dimensions > width) {
    throw new DocfuseError(
      'config',
      `embedding.dimensions is ${dimensions}, but the vectors of ${model.modelFile} have ${width} numbers.`,
      `Set it to ${width} or less, or remove it.`,
    );
  }

  return {
    dimensions,
    /**
     * Returns one unit vector per text, all concatenated in one array.
     * @param around wraps each run of the model. @default no wrapping
     */
    async encode(texts: readonly string[], around: Around = (run) => run()) {
      const rows = texts.map((text) => ({ ids: tokenize(text) }));
      const vectors = new Float32Array(texts.length * dimensions);
      for (const batch of packBatches(rows.map(({ ids }) => ids.length))) {
        const members = batch.map((index) => rows[index]!);
        const feeds = createFeeds(runtime, session, members, model.padId);
        const result = await around(() => session.run(feeds, [output.name]));
        const data = result[output.name]!.data as Float32Array;
        const tokens = members[0]!.ids.length;
        batch.forEach((index, row) => {
          const vector = vectors.subarray(index * dimensions, (index + 1) * dimensions);
          if (output.pooled) vector.set(data.subarray(row * width, row * width + dimensions));
          else pool(pooling, data.subarray(row * tokens * width), width, members[row]!.ids.length, vector);
          normalize(vector, model.modelFile);
        });
      }
      return vectors;
    },
  };
}

/** Cuts the token ids of a text to `maxTokens`. Keeps the special token at the end, as the reference implementation does. */
export function cutTokens(ids: readonly number[], maxTokens: number): readonly number[] {
  return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ids[ids.length - 1]!];
}

function chooseOutput(session: Session, { modelFile: file, profile: { layers } }: EncodedBy) {
  const stranger = session.inputNames.find((input) => !INPUTS.includes(input));
  if (stranger !== undefined) throw unsuitable(file, `it needs an input "${stranger}"`);
  const name = OUTPUTS.find((candidate) => session.outputNames.includes(candidate));
  const metadata = session.outputMetadata.find((value) => value.name === name);
  const width = metadata?.isTensor ? metadata.shape.at(-1) : undefined;
  if (name === undefined || !metadata?.isTensor || typeof width !== 'number') {
    throw unsuitable(file, `its outputs are ${session.outputNames.join(', ')}`);
  }
  const pooled = metadata.shape.length === 2;
  if (!pooled && layers.length > 0)
    throw unsuitable(file, `it lacks the layers ${layers.join(', ')} of its model`);
  return { name, width, pooled };
}

function unsuitable(file: string, reason: string): DocfuseError {
  return new DocfuseError(
    'model_invalid',
    `${file} is not a text embedding model: ${reason}.`,
    `Use a model with inputs ${INPUTS.join(', ')} and an output ${OUTPUTS.join(' or ')} of fixed width.`,
  );
}

/** @param width how many numbers `data` has for each token; a shorter `vector` gets only the first of these numbers */
function pool(
  how: 'mean' | 'cls',
  data: Float32Array,
  width: number,
  tokens: number,
  vector: Float32Array,
): void {
  const used = how === 'cls' ? 1 : tokens;
  for (let i = 0; i < vector.length; i += 1) {
    let sum = 0;
    for (let token = 0; token < used; token += 1) sum += data[token * width + i]!;
    vector[i] = sum / used;
  }
}

/** Makes a vector a unit vector; a vector of zeros stays. @throws DocfuseError `model_invalid` if a component is not finite */
function normalize(vector: Float32Array, file: string): void {
  let squares = 0;
  for (const component of vector) squares += component * component;
  if (squares === 0) return;
  if (!Number.isFinite(squares)) {
    throw new DocfuseError(
      'model_invalid',
      `${file} computes vectors that are not made of finite numbers.`,
      'The file may be damaged, or made for another runtime: fetch it again, or choose another file or model in embedding.model.',
    );
  }
  const factor = 1 / Math.sqrt(squares);
  for (let i = 0; i < vector.length; i += 1) vector[i]! *= factor;
}
