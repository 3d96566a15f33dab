/** Engines that find the nearest of unit vectors by cosine. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSemanticRetriever } from '../../src/core/indexes/semantic.ts';
import { createTopK } from '../../src/core/indexes/top-k.ts';
import { parseQuery } from '../../src/core/query/parse.ts';
import { type Engine, load, type VectorCorpus } from './engine.ts';

type VectorEngine = Engine<VectorCorpus>;

const docfuse: VectorEngine = {
  name: 'docfuse',
  note: 'scan of 8-bit rows, 200 scored again in 12 bits; in memory',
  build({ dimensions, rows }) {
    const retriever = createSemanticRetriever({ dimensions, idOf: String });
    for (let slot = 0; slot < rows.length / dimensions; slot++)
      retriever.addVector(slot, rowOf(rows, dimensions, slot));
    const parsed = parseQuery('');
    return {
      async search(vector, k) {
        return (await retriever.search({ parsed, vector }, k)).entries.map(({ slot }) => slot);
      },
    };
  },
};

/** As the original systems did it; what recall is measured by. */
const exact: VectorEngine = {
  name: 'float32 loop',
  note: 'exact; as the original systems did it; in memory',
  build({ dimensions, rows }) {
    return {
      search(query, k) {
        const top = createTopK(k, String);
        for (let slot = 0, at = 0; at < rows.length; slot++) {
          let sum = 0;
          for (let i = 0; i < dimensions; i++) sum += query[i]! * rows[at++]!;
          top.offer(slot, sum);
        }
        return top.ranked().map(({ slot }) => slot);
      },
    };
  },
};

const sqliteVec: VectorEngine = {
  name: 'sqlite-vec',
  note: 'exact; in a file',
  needs: 'sqlite-vec',
  async build({ dimensions, rows }, folder) {
    const extension = await load('sqlite-vec');
    const database = new DatabaseSync(join(folder, 'vec.sqlite'), { allowExtension: true });
    extension.load(database);
    database.exec(`CREATE VIRTUAL TABLE v USING vec0(row float[${dimensions}] distance_metric=cosine)`);
    const insert = database.prepare('INSERT INTO v (rowid, row) VALUES (?, ?)');
    database.exec('BEGIN');
    for (let slot = 0; slot < rows.length / dimensions; slot++)
      insert.run(BigInt(slot), bytesOf(rowOf(rows, dimensions, slot)));
    database.exec('COMMIT');
    const select = database.prepare('SELECT rowid FROM v WHERE row MATCH ? AND k = ? ORDER BY distance');
    return {
      search: (query, k) => select.all(bytesOf(query), k).map(({ rowid }) => Number(rowid)),
      close: () => database.close(),
    };
  },
};

const lanceDb: VectorEngine = {
  name: 'LanceDB',
  note: 'exact, without an index; in files',
  needs: '@lancedb/lancedb',
  async build({ dimensions, rows }, folder) {
    const { connect } = await load('@lancedb/lancedb');
    const database = await connect(folder);
    const all = Array.from({ length: rows.length / dimensions }, (_, id) => {
      return { id, vector: Array.from(rowOf(rows, dimensions, id)) };
    });
    const table = await database.createTable('v', all);
    return {
      async search(query, k) {
        const nearest = table.vectorSearch(query).distanceType('cosine').select(['id', '_distance']).limit(k);
        return (await nearest.toArray()).map(({ id }: { id: number }) => Number(id));
      },
      close: () => database.close(),
    };
  },
};

const usearch: VectorEngine = {
  name: 'usearch',
  note: 'HNSW, approximate; in memory',
  needs: 'usearch',
  async build({ dimensions, rows }) {
    const { default: library } = await load('usearch');
    const { Index, MetricKind, ScalarKind } = library;
    const index = new Index({
      dimensions,
      metric: MetricKind.Cos,
      quantization: ScalarKind.F32,
      connectivity: 16,
    });
    const count = rows.length / dimensions;
    index.add(
      BigUint64Array.from({ length: count }, (_, slot) => BigInt(slot)),
      rows,
      0,
    );
    return { search: (query, k) => Array.from(index.search(query, k, 0).keys as BigUint64Array, Number) };
  },
};

export const VECTOR_ENGINES: readonly VectorEngine[] = [docfuse, exact, sqliteVec, lanceDb, usearch];

function rowOf(rows: Float32Array, dimensions: number, slot: number): Float32Array {
  return rows.subarray(slot * dimensions, (slot + 1) * dimensions);
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
