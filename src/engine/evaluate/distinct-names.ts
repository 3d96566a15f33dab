/** Names of sets that can be told apart. */

/** Its name, or where several have it, its folder. */
export function distinctNames(
  sets: readonly { readonly name: string; readonly folder: string }[],
): readonly string[] {
  const times = Map.groupBy(sets, ({ name }) => name);
  return sets.map(({ name, folder }) => (times.get(name)!.length > 1 ? folder : name));
}
