/** Editors that a link can open, with the addresses that they understand. */
import { formatOf } from '../../core/model/formats.ts';

/** Names that people read. The user writes the address template of `own`. */
export const EDITOR_LABELS = {
  vscode: 'VS Code',
  cursor: 'Cursor',
  obsidian: 'Obsidian',
  own: 'Another editor',
} as const;
export type EditorName = keyof typeof EDITOR_LABELS;

export interface Editor {
  readonly name: EditorName;
  /** An address such as `myeditor://open?file={file}&line={line}`. Used if `name` is `own`. */
  readonly template: string;
}

/** The address that opens a file. Obsidian gets no line. Undefined for an invalid template or a file such as a PDF. */
export function editorLink({ name, template }: Editor, file: string, line: number): string | undefined {
  if (formatOf(file)?.converter === 'office') return undefined;
  if (name === 'obsidian') return `obsidian://open?path=${encodeURIComponent(file)}`;
  if (name !== 'own') return atLine(name, file, line);
  if (!isTemplate(template)) return undefined;
  const values: Readonly<Record<string, string>> = { file: encodeURIComponent(file), line: String(line) };
  return template.trim().replaceAll(/\{(file|line)\}/g, (_, name: string) => values[name]!);
}

/**
 * Whether a text is a template: an address of a program on this machine, with `{file}` after the scheme. Schemes that the browser
 * itself runs or loads are refused.
 */
export function isTemplate(text: string): boolean {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):.*\{file\}/is.exec(text.trim()) ?? [];
  return scheme !== undefined && !BROWSER_SCHEMES.includes(scheme.toLowerCase()) && URL.canParse(text.trim());
}

const BROWSER_SCHEMES = [
  ...['javascript', 'vbscript', 'data', 'blob', 'filesystem', 'file', 'about', 'view-source'],
  ...['http', 'https', 'ws', 'wss', 'ftp', 'mailto'],
];

/** Returns an address such as `vscode://file/notes/a.md:12`. Windows paths become `/C:/notes/a.md`. */
function atLine(scheme: string, file: string, line: number): string {
  const path = file.replaceAll('\\', '/').replace(/^(?=[A-Za-z]:)/, '/');
  return `${scheme}://file${path.split('/').map(encodeURIComponent).join('/').replaceAll('%3A', ':')}:${line}`;
}
