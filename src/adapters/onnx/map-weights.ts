/** Rewrites a model so that ONNX Runtime maps its weights from the model's file, and does not read them into memory. */
import { closeSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Numbers of fields in onnx.proto3. */
const GRAPH = 7;
const INITIALIZER = 5;
const TENSOR = { dataType: 2, rawData: 9, externalData: 13, dataLocation: 14 } as const;
/** Values of `dataType`. Numbers of more bytes may begin at any byte of the file, where not every processor reads them. */
const BYTE_TYPES = [2, 3];
const EXTERNAL = 1;

/** Min bytes of a tensor that is mapped. */
const MIN_MAPPED = 1_024;
/** Max bytes that are copied from the file. */
const MAX_COPIED = 16_000_000;

/**
 * Returns the model without those of its weights that are bytes: in their place, it names where they lie in the file.
 * @returns `folder`: where ONNX Runtime looks for the file. Undefined if the model has no such weights, or more than 16 MB of others,
 * or weights in another file, or if the file is no model
 */
export function mapWeights(file: string) {
  let descriptor: number | undefined;
  try {
    // ONNX Runtime refuses a link that leads out of its folder.
    const path = realpathSync(file);
    descriptor = openSync(path, 'r');
    const { rewrite, size } = createRewriter(descriptor);
    const location = entry('location', basename(path));
    let isMapped = false;

    const mapTensor: Replace = ({ start, end }) => {
      let type = 0;
      return rewrite(start, end, ({ number, value, start, end }) => {
        if (number === TENSOR.dataType) type = value;
        if (number === TENSOR.externalData) throw new RangeError('Some weights lie in another file.');
        // Left out, as its default is that the weights lie in the tensor. Of two values, the last one would count.
        if (number === TENSOR.dataLocation) return Buffer.alloc(0);
        const length = end - start;
        if (number !== TENSOR.rawData || length < MIN_MAPPED || !BYTE_TYPES.includes(type)) return undefined;
        isMapped = true;
        const place = [location, entry('offset', start), entry('length', length)];
        return Buffer.concat([...place, varint(TENSOR.dataLocation * 8), varint(EXTERNAL)]);
      });
    };
    const mapGraph: Replace = ({ start, end }) =>
      rewrite(start, end, (field) =>
        field.number === INITIALIZER ? message(INITIALIZER, mapTensor(field)) : undefined,
      );
    const model = rewrite(0, size, (field) =>
      field.number === GRAPH ? message(GRAPH, mapGraph(field)) : undefined,
    );
    return isMapped ? { model, folder: dirname(path) } : undefined;
  } catch {
    return undefined; // ONNX Runtime opens the file itself, or says what is wrong with it.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** A field of a protobuf message. Its content lies between two offsets of the file. */
interface Field {
  readonly number: number;
  /** Content of an integer; 0 for other types. */
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

type Replace = (field: Field) => Buffer;

const WINDOW = 4_096;
const LONGEST_VARINT = 10;
const FIXED_LENGTHS: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/** Reads messages as https://protobuf.dev/programming-guides/encoding describes them. */
function createRewriter(descriptor: number) {
  const { size } = fstatSync(descriptor);
  /** Bytes of the file from `first`. */
  let window: Buffer = Buffer.alloc(0);
  let first = 0;
  /** Offset of what is read next. */
  let at = 0;
  let copied = 0;

  /** Makes the window hold some bytes, if the file has them. Returns the place of the first one in the window. */
  function show(from: number, length: number): number {
    if (from < first || from + length > first + window.length) {
      const bytes = Buffer.allocUnsafe(Math.max(length, WINDOW));
      window = bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from));
      first = from;
    }
    return from - first;
  }

  function readVarint(): number {
    const start = show(at, LONGEST_VARINT);
    let value = 0;
    for (let i = 0; i < LONGEST_VARINT; i += 1) {
      const byte = window[start + i];
      if (byte === undefined) break;
      value += (byte & 127) * 2 ** (7 * i);
      if (byte < 128) {
        at += i + 1;
        return value;
      }
    }
    throw new RangeError(`There is no number at byte ${at}.`);
  }

  function readField(): Field {
    const key = readVarint();
    const [number, type] = [Math.floor(key / 8), key % 8];
    if (type === 0) return { number, value: readVarint(), start: at, end: at };
    const length = type === 2 ? readVarint() : FIXED_LENGTHS[type];
    if (length === undefined) throw new RangeError(`There is no type ${type}.`);
    return { number, value: 0, start: at, end: at + length };
  }

  /** Copies the fields between two offsets, but takes what `replace` returns for a field, if it returns something. */
  function rewrite(from: number, to: number, replace: (field: Field) => Buffer | undefined): Buffer {
    const fields: Buffer[] = [];
    for (let begin = from; begin < to; ) {
      at = begin;
      const field = readField();
      const length = field.end - begin;
      if (field.end > to) throw new RangeError(`A field at byte ${begin} is too long.`);
      fields.push(replace(field) ?? copy(begin, length));
      begin = field.end;
    }
    return Buffer.concat(fields);
  }

  function copy(from: number, length: number): Buffer {
    copied += length;
    if (copied > MAX_COPIED) throw new RangeError(`${copied} bytes are too many to copy.`);
    const start = show(from, length);
    return Buffer.from(window.subarray(start, start + length));
  }

  return { rewrite, size };
}

function entry(key: string, value: string | number): Buffer {
  const [name, text] = [message(1, Buffer.from(key)), message(2, Buffer.from(String(value)))];
  return message(TENSOR.externalData, Buffer.concat([name, text]));
}

/** Encodes a field whose content is a message, a string or bytes. */
function message(number: number, content: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push(128 + (rest % 128));
  }
}
