/** Reads a TypeScript source into its syntax tree and the module references it makes. */
import { type Node, parseSync } from 'oxc-parser';

/** A file of the project: its path from the repository's root, with `/`, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly source: string;
}

/** A rule that a file breaks. */
export interface Violation {
  readonly rule: string;
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

/** One mention of another module: static, type-only, dynamic, re-export, or a `new URL` beside the file. */
export interface Reference {
  readonly specifier: string;
  readonly line: number;
}

export interface Module extends SourceFile {
  readonly program: Node & { readonly body: readonly Node[] };
  readonly references: readonly Reference[];
  readonly comments: readonly { readonly value: string; readonly start: number }[];
  lineOf(offset: number): number;
}

/** Parses a source; a syntax error throws, because nothing can be said of such a file. */
export function parseModule(file: SourceFile): Module {
  const { program, comments, errors } = parseSync(file.path, file.source, { sourceType: 'module' });
  if (errors[0] !== undefined) throw new SyntaxError(`${file.path}: ${errors[0].message}`);
  const lineOf = (offset: number): number => file.source.slice(0, offset).split('\n').length;
  const references: Reference[] = [];
  walk(program as unknown as Node, (node) => {
    const specifier = referenceOf(node);
    if (specifier !== undefined) references.push({ specifier, line: lineOf(node.start) });
  });
  return { ...file, program: program as unknown as Module['program'], references, comments, lineOf };
}

/** Calls `visit` for every node in source order, with the node around it and the key it hangs on. */
export function walk(
  node: Node,
  visit: (node: Node, parent: Node | undefined, key: string) => void,
  parent?: Node,
  key = '',
): void {
  visit(node, parent, key);
  for (const [name, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, visit, node, name);
    }
  }
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
  );
}

function referenceOf(node: Node): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return textOf(node.source);
    case 'NewExpression': {
      const [target, base] = node.arguments;
      const beside = node.callee.type === 'Identifier' && node.callee.name === 'URL' && base !== undefined;
      const text = textOf(target);
      return beside && text?.endsWith('.ts') ? text : undefined;
    }
    default:
      return undefined;
  }
}

function textOf(node: Node | null | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
