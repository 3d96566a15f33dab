/** What Linux tells of a process. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Whether the system tells any of this. */
export const TELLS = process.platform === 'linux';

export interface ProcessFacts {
  /** Names of its threads; those that native code starts have the name of the thread that started them. */
  readonly threads: readonly string[];
  /** Bytes of memory that are its own, and no pages of files. */
  readonly memory: number;
  /** Bytes read from files since it began. */
  readonly read: number;
  /** The library that runs models is loaded. */
  readonly hasRuntime: boolean;
  /** The weights of the default model are mapped. */
  readonly hasModel: boolean;
  /** The file of an index is open. */
  readonly holdsIndex: boolean;
}

export function processFacts(pid: number): ProcessFacts {
  const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  const list = (folder: string, of: (name: string) => string) =>
    readdirSync(`/proc/${pid}/${folder}`).map((name) => {
      try {
        return of(name);
      } catch {
        return ''; // ended or closed meanwhile
      }
    });
  const maps = read('maps');
  return {
    threads: list('task', (task) => read(`task/${task}/comm`).trim()),
    memory: 1024 * Number(/^RssAnon:\s+(\d+)/m.exec(read('status'))?.[1]),
    read: Number(/^rchar: (\d+)/m.exec(read('io'))?.[1]),
    hasRuntime: maps.includes('libonnxruntime'),
    hasModel: maps.includes('model_quantized.onnx'),
    holdsIndex: list('fd', (fd) => readlinkSync(`/proc/${pid}/fd/${fd}`)).some((file) =>
      file.endsWith('index.sqlite'),
    ),
  };
}
