/** Changes bundled code so that a module of Node is loaded when it is first used. */

/** Before a name that is no property. A spread has three dots before its name. */
const START = String.raw`(?<![\w$]|(?<!\.\.)\.)`;

/**
 * A search by words uses neither the cryptography of Node nor its processes and threads, and loading these takes a tenth of its time.
 * A module that is used as a whole, not by its exports, is still loaded at once.
 * @param code with `let name = globalThis.process.getBuiltinModule("node:…");` for each module, one a line
 */
export function loadOnDemand(code: string): string {
  const declared = code.matchAll(/^let (\w+) = (globalThis\.process\.getBuiltinModule\(.+\));$/gm);
  return [...declared].reduce((changed, [line, name, load]) => {
    const uses = changed.match(new RegExp(String.raw`${START}${name}\b`, 'g'))!.length;
    const exports = new RegExp(String.raw`${START}${name}\.(?=\w)`, 'g');
    if (uses !== 1 + (changed.match(exports)?.length ?? 0)) return changed;
    const lazy = `const ${name} = { get $() { return (this.m ??= ${load}); } };`;
    return changed.replaceAll(exports, `${name}.$$.`).replace(line!, () => lazy);
  }, code);
}
