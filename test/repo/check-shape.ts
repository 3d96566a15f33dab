/** Checks how sources are written: exports, module state, classes, purity of core, size, name, opening comment. */
import type { Node } from 'oxc-parser';
import { type Module, parseModule, type SourceFile, type Violation, walk } from './parse-source.ts';

const MAX_LINES = 300;
const LONG_FILE_REASON = /^\/\/ over 300 lines: \S.{9,}/;
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|bench|config))?\.tsx?$/;

/** Globals that reach outside, or differ from run to run and from machine to machine. */
const IMPURE_GLOBALS: ReadonlySet<string> = new Set([
  'Buffer',
  'console',
  'crypto',
  'fetch',
  'globalThis',
  'navigator',
  'performance',
  'process',
  'queueMicrotask',
  'require',
  'setImmediate',
  'setInterval',
  'setTimeout',
  'WebSocket',
  'window',
  'Worker',
]);

/** Methods whose answer depends on the clock, on chance or on the machine's language. */
const IMPURE_MEMBERS: ReadonlySet<string> = new Set([
  'Date.now',
  'Math.random',
  '*.localeCompare',
  '*.toLocaleLowerCase',
  '*.toLocaleUpperCase',
  '*.toLocaleString',
  '*.toLocaleDateString',
  '*.toLocaleTimeString',
  '*.getTimezoneOffset',
]);

type Report = (rule: string, offset: number, message: string) => void;

/** Every violation in the files: size, name and comments for all of them, the rest for those under `src/`. */
export function checkShape(files: readonly SourceFile[]): readonly Violation[] {
  const paths = new Set(files.map(({ path }) => path));
  return files.flatMap((file) => {
    const module = parseModule(file);
    const violations: Violation[] = [];
    const report: Report = (rule, offset, message) => {
      violations.push({ rule, path: file.path, line: module.lineOf(offset), message });
    };
    checkFile(module, report);
    checkComments(module, paths, report);
    checkExports(module, report);
    if (file.path.startsWith('src/')) {
      checkState(module, report);
      checkClasses(module, report);
      checkSpreads(module, report);
    }
    if (file.path.startsWith('src/core/')) checkPurity(module, report);
    return violations;
  });
}

function checkFile(module: Module, report: Report): void {
  const lines = module.source.replace(/\n$/, '').split('\n');
  const name = module.path.slice(module.path.lastIndexOf('/') + 1);
  if (!KEBAB_CASE.test(name)) report('file-name', 0, `${name} is not kebab-case`);
  // A test file says what it is for in its titles.
  if (!name.endsWith('.test.ts') && !/^(#!.*\n)?\/\*\*\s+(\* )?[^\s*]/.test(module.source)) {
    report('opening-comment', 0, 'does not open with a /** sentence */ on what the file is for');
  }
  if (lines.length > MAX_LINES && !LONG_FILE_REASON.test(lines[1] ?? '')) {
    report('file-length', 0, `${lines.length} lines without "// over 300 lines: reason" on line 2`);
  }
}

/** A source that a comment sends the reader to, by its path from the root or from `src/`. */
const NAMED_SOURCE =
  /(?<![\w./-])(?:src\/)?((?:adapters|bench|core|engine|scripts|surfaces|test)\/[\w./-]+\.ts)\b/g;

function checkComments(module: Module, paths: ReadonlySet<string>, report: Report): void {
  for (const { value, start } of module.comments) {
    for (const [, path = ''] of value.matchAll(NAMED_SOURCE)) {
      if (!paths.has(path) && !paths.has(`src/${path}`)) report('comment-path', start, `there is no ${path}`);
    }
  }
}

function checkExports(module: Module, report: Report): void {
  for (const node of module.program.body) {
    if (node.type === 'ExportAllDeclaration')
      report('export-star', node.start, 'export * hides what is exported');
    const isDefault =
      node.type === 'ExportDefaultDeclaration' ||
      (node.type === 'ExportNamedDeclaration' &&
        node.specifiers.some((each) => nameOf(each.exported) === 'default'));
    if (isDefault && !module.path.endsWith('.config.ts'))
      report('default-export', node.start, 'default export');
  }
}

/** Module level holds constants only: no `let`, no `var`, no empty container waiting to be filled. */
function checkState(module: Module, report: Report): void {
  for (const statement of module.program.body) {
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (node?.type !== 'VariableDeclaration') continue;
    if (node.kind === 'let' || node.kind === 'var') {
      report('module-state', node.start, `module-level ${node.kind}`);
    }
    for (const { init } of node.declarations) {
      if (init !== null && isEmptyContainer(init))
        report('module-state', init.start, 'module-level empty container');
    }
  }
}

function isEmptyContainer(node: Node): boolean {
  if (node.type === 'ArrayExpression') return node.elements.length === 0;
  if (node.type === 'ObjectExpression') return node.properties.length === 0;
  const collection = node.type === 'NewExpression' && /^(Weak)?(Map|Set)$/.test(nameOf(node.callee) ?? '');
  return collection && node.arguments.length === 0;
}

/** Files with a class: the error, and the element for other sites, which the browser wants as a class. */
const CLASSES = ['src/core/errors.ts', 'src/surfaces/web/element/docfuse-search.ts'];

function checkClasses(module: Module, report: Report): void {
  if (CLASSES.includes(module.path)) return;
  walk(module.program, (node) => {
    if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') {
      report('class', node.start, 'a factory does; errors.ts holds the one class');
    }
  });
}

/** Keys belong into their object, one a line; spread literals only save lines. */
function checkSpreads(module: Module, report: Report): void {
  walk(module.program, (node, parent) => {
    if (
      node.type === 'SpreadElement' &&
      parent?.type === 'ObjectExpression' &&
      node.argument.type === 'ObjectExpression'
    ) {
      report('spread-literal', node.start, 'an object literal is spread into an object literal');
    }
  });
}

function checkPurity(module: Module, report: Report): void {
  walk(module.program, (node, parent, key) => {
    if (node.type === 'Identifier' && IMPURE_GLOBALS.has(node.name) && isReference(parent, key)) {
      report('core-purity', node.start, `core may not use ${node.name}`);
    } else if (node.type === 'MemberExpression' && !node.computed) {
      const member = nameOf(node.property) ?? '';
      const found = [`${nameOf(node.object) ?? ''}.${member}`, `*.${member}`].find((each) =>
        IMPURE_MEMBERS.has(each),
      );
      if (found !== undefined)
        report('core-purity', node.start, `core may not use ${found.replace('*', '')}`);
    } else if (
      node.type === 'NewExpression' &&
      nameOf(node.callee) === 'Date' &&
      node.arguments.length === 0
    ) {
      report('core-purity', node.start, 'core may not read the clock');
    } else if (node.type === 'MetaProperty' && nameOf(node.meta) === 'import') {
      report('core-purity', node.start, 'core may not use import.meta');
    }
  });
}

/** Whether an identifier stands for a variable, not for the name of a property. */
function isReference(parent: Node | undefined, key: string): boolean {
  if (parent === undefined) return true;
  const isName = key === 'property' || key === 'key';
  const computed = 'computed' in parent && parent.computed === true;
  return !isName || computed;
}

function nameOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
