/** Editors that a link can open, with the addresses that they understand. */
export const EDITORS = [
  { name: 'vscode', label: 'VS Code', address: (file: string, line: number) => atLine('vscode', file, line) },
  { name: 'cursor', label: 'Cursor', address: (file: string, line: number) => atLine('cursor', file, line) },
  {
    name: 'obsidian',
    label: 'Obsidian',
    address: (file: string) => `obsidian://open?path=${encodeURIComponent(file)}`,
  },
] as const;

export type EditorName = (typeof EDITORS)[number]['name'];

/** The address that opens a file. Obsidian knows no lines. */
export function editorLink(name: EditorName, file: string, line: number): string {
  return EDITORS.find((each) => each.name === name)!.address(file, line);
}

/** Windows paths become `/C:/notes/a.md`. */
function atLine(scheme: string, file: string, line: number): string {
  const path = file.replaceAll('\\', '/').replace(/^(?=[A-Za-z]:)/, '/');
  return `${scheme}://file${path.split('/').map(encodeURIComponent).join('/').replaceAll('%3A', ':')}:${line}`;
}
