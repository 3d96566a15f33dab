/** Checks what modules import: direction, purity of core, existence, extension, cycles. */
import { posix } from 'node:path';
import { LAYERS, type Layer, PURE_PACKAGES } from './layers.ts';
import { type Module, parseModule, type SourceFile, type Violation } from './parse-source.ts';

/**
 * Every violation in the files; direction is checked under `src/` only.
 * @param paths what relative imports may name besides `files`
 */
export function checkImports(
  files: readonly SourceFile[],
  paths: readonly string[] = [],
): readonly Violation[] {
  const modules = files.map(parseModule);
  const known = new Set([...paths, ...files.map((file) => file.path)]);
  const edges = new Map<string, readonly string[]>();
  const violations: Violation[] = [];
  for (const module of modules) {
    const targets: string[] = [];
    for (const reference of module.references) {
      const report = (rule: string, message: string): void => {
        violations.push({ rule, path: module.path, line: reference.line, message });
      };
      if (!reference.specifier.startsWith('.')) {
        const reason = packageFault(module, reference.specifier);
        if (reason !== undefined) report('core-purity', reason);
        continue;
      }
      const target = posix.join(posix.dirname(module.path), reference.specifier);
      if (!/\.(tsx?|js|json|svg|html|css)$/.test(target))
        report('extension', `${reference.specifier} lacks its extension`);
      else if (!known.has(target)) report('unresolved', `${reference.specifier} does not exist`);
      targets.push(target);
      const reason = directionFault(module.path, target);
      if (reason !== undefined) report('direction', reason);
    }
    edges.set(module.path, targets);
  }
  return [...violations, ...cycles(edges)];
}

/** The layer of a path: the longest match in the table. */
export function layerOf(path: string): Layer | undefined {
  const matches = LAYERS.filter(
    (layer) => path === layer.path || (layer.path.endsWith('/') && path.startsWith(layer.path)),
  );
  return matches.sort((a, b) => b.path.length - a.path.length)[0];
}

function directionFault(from: string, to: string): string | undefined {
  if (!from.startsWith('src/')) return undefined;
  if (!to.startsWith('src/')) return `${from} reaches outside src for ${to}`;
  const source = layerOf(from);
  const target = layerOf(to);
  if (source === undefined) return `${from} belongs to no layer of test/repo/layers.ts`;
  if (target === undefined) return `${to} belongs to no layer of test/repo/layers.ts`;
  if (source !== target) {
    return source.imports.includes(target.name)
      ? undefined
      : `${source.name} may not import ${target.name} (${to})`;
  }
  const [room, other] = [subfolder(from, source), subfolder(to, target)];
  if (room === other) return undefined;
  if (source.apart) return `folders of ${source.name} may not import each other (${to})`;
  const known = source.rooms?.[room];
  if (known !== undefined && other in source.rooms! && !known.includes(other))
    return `${room} of ${source.name} may not import ${other} (${to})`;
  return undefined;
}

/** The first path segment below a layer's folder. */
function subfolder(path: string, layer: Layer): string {
  return path.slice(layer.path.length).split('/')[0] ?? '';
}

function packageFault(module: Module, specifier: string): string | undefined {
  if (!module.path.startsWith('src/core/')) return undefined;
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  return PURE_PACKAGES.includes(name) ? undefined : `core may not import ${specifier}`;
}

/** One violation per group of files that import each other in a circle. */
function cycles(edges: ReadonlyMap<string, readonly string[]>): readonly Violation[] {
  const finished = new Set<string>();
  const violations: Violation[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) {
      const circle = [...trail.slice(start), path].join(' → ');
      violations.push({ rule: 'cycle', path, line: 1, message: circle });
      return;
    }
    if (finished.has(path)) return;
    for (const target of edges.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return violations;
}
