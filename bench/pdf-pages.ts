/**
 * How many pages of a PDF are indexed a second, without the model.
 * Usage: node bench/pdf-pages.ts <file.pdf>
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convert } from '../src/adapters/formats/office.ts';
import { open } from '../src/engine/open.ts';
import { keep } from './record.ts';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: node bench/pdf-pages.ts <file.pdf>');

const bytes = await readFile(file);
const pages = (await convert(bytes, 'pdf')).pages?.length ?? 0;
const work = await mkdtemp(join(tmpdir(), 'docfuse-pdf-'));
const folder = join(work, 'files');
await mkdir(folder);
await writeFile(join(folder, 'book.pdf'), bytes);
const index = await open({ roots: [folder], indexPath: join(work, 'index') });
const { milliseconds } = await index.sync({ embed: false });
await index.close();
await rm(work, { recursive: true });
const result = { pages, milliseconds, pagesPerSecond: (pages / milliseconds) * 1000 };
console.table([result]);
await keep('pdf-pages', result);
