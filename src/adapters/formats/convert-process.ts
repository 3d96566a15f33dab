/** Code of a converter process: converts the bytes of one file at a time to Markdown. */
import { Worker } from 'node:worker_threads';
import { type ConverterName, extensionOf } from '../../core/model/formats.ts';
import { type Convert, toMarkdownFile } from './converted.ts';

export interface ConvertTask {
  readonly converter: ConverterName;
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** `problem` is one sentence that says why there is no text. */
export type ConvertReply = { readonly text: string } | { readonly problem: string };

const CONVERTERS: Readonly<Record<ConverterName, () => Promise<{ readonly convert: Convert }>>> = {
  asciidoc: () => import('./asciidoc.ts'),
  html: () => import('./html.ts'),
  mail: () => import('./mail.ts'),
  metadata: () => import('./metadata.ts'),
  notebook: () => import('./notebook.ts'),
  office: () => import('./office.ts'),
  org: () => import('./org.ts'),
  rst: () => import('./rst.ts'),
};

/** Ends this process when its parent has ended: a busy process does not notice that its channel was closed. */
const WATCH = `setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL'); }, 1_000)`;
new Worker(WATCH, { eval: true }).unref();

process.on('message', async (task: ConvertTask) => process.send!(await answer(task)));

async function answer({ converter, path, bytes }: ConvertTask): Promise<ConvertReply> {
  try {
    const { convert } = await CONVERTERS[converter]();
    const converted = await convert(bytes, extensionOf(path));
    if (converted.markdown.trim() === '') return { problem: 'it has no text' };
    return { text: toMarkdownFile(converted, path) };
  } catch (error) {
    return { problem: firstSentence(error instanceof Error ? error.message : String(error)) };
  }
}

/** Keeps only the first sentence: in messages of libraries, the other sentences are for programmers. */
function firstSentence(message: string): string {
  return /^.*?(?=\.(?:\s+\p{Lu}|\s*$)|\n|$)/su.exec(message.replace(/^\[\w+\]:? */, ''))![0];
}
