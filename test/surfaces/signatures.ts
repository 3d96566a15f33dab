/** What the packed types say of every export: its declaration, without comments. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseSync, type Statement } from 'oxc-parser';

/** The declarations behind the exports of an entry, ordered by name. */
export function signaturesOf(entry: string): readonly string[] {
  const { module } = parse(entry);
  const names = module.staticExports
    .flatMap(({ entries }) => entries)
    .map(({ exportName, importName, moduleRequest }) => ({
      name: exportName.name!,
      texts:
        moduleRequest === null
          ? declarationsOf(entry, exportName.name!)
          : declarationsOf(declaredIn(moduleRequest.value, entry), importName.name!),
    }));
  return names.sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap(({ texts }) => texts);
}

/** More than one where a function is overloaded. */
function declarationsOf(file: string, name: string): readonly string[] {
  const { program, module, text } = parse(file);
  const found = program.body.filter((statement) => namesOf(statement).includes(name));
  if (found.length > 0) return found.map(({ start, end }) => tidy(text.slice(start, end)));
  const passedOn = module.staticExports
    .flatMap(({ entries }) => entries)
    .find(({ exportName, moduleRequest }) => exportName.name === name && moduleRequest !== null);
  if (!passedOn) throw new Error(`${file} declares no ${name}`);
  return declarationsOf(declaredIn(passedOn.moduleRequest!.value, file), passedOn.importName.name!);
}

function namesOf(statement: Statement): readonly string[] {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declaration?.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  }
  const { id } = (declaration ?? {}) as { readonly id?: { readonly name?: string } | null };
  return id?.name === undefined ? [] : [id.name];
}

function declaredIn(request: string, from: string): string {
  return resolve(dirname(from), request.replace(/\.[jt]s$/, '.d.ts'));
}

/** Comments are blanked, so that offsets hold. */
function parse(file: string) {
  const source = readFileSync(file, 'utf8');
  const { program, module, comments } = parseSync(file, source);
  const text = comments.reduce(
    (rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end),
    source,
  );
  return { program, module, text };
}

function tidy(text: string): string {
  return text.replaceAll(/[ \t]+$/gm, '').replaceAll(/\n{2,}/g, '\n');
}
