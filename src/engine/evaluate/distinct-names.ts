/** Names of sets that can be told apart. */
import { readDocs } from './set-files.ts';

/** Its name; where several have it, the path of its documents, or of the set where they share those, too. */
export async function distinctNames(
  sets: readonly { readonly name: string; readonly folder: string }[],
): Promise<readonly string[]> {
  const each = await Promise.all(
    sets.map(async ({ name, folder }) => [name, (await readDocs(folder)) ?? folder, folder] as const),
  );
  const isOnly = (place: number, text: string) => each.filter((names) => names[place] === text).length === 1;
  return each.map((names) => names.find((text, place) => isOnly(place, text)) ?? names[2]);
}
