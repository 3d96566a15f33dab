/** What the browser remembers for this page alone: the editor that was chosen and recent queries. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { parseJson } from '../../core/model/json.ts';
import { EDITOR_LABELS, type Editor, type EditorName } from './editors.ts';
import { openStorage } from './storage.ts';

type Kept = ReturnType<typeof openStorage>;

const MAX_RECENT = 12;
/** Longer queries are not remembered. */
const MAX_LENGTH = 300;
const EDITOR_KEY = 'docfuse-editor';
const TEMPLATE_KEY = 'docfuse-editor-address';
const RECENT_KEY = 'docfuse-recent';

export function createRemembered() {
  const storage = openStorage(() => localStorage);
  const editor = signal(readEditor(storage));
  const recent = signal(readRecent(storage));
  addEventListener('storage', () => (recent.value = readRecent(storage)));
  function keep(queries: readonly string[]): void {
    recent.value = queries;
    storage.setItem(RECENT_KEY, JSON.stringify(queries));
  }
  return {
    editor: editor as ReadonlySignal<Editor>,
    chooseEditor(change: Partial<Editor>): void {
      editor.value = { ...editor.value, ...change };
      storage.setItem(EDITOR_KEY, editor.value.name);
      storage.setItem(TEMPLATE_KEY, editor.value.template);
    },
    /** The latest first. */
    recent: recent as ReadonlySignal<readonly string[]>,
    remember(query: string): void {
      const text = query.trim();
      if (text === '' || text.length > MAX_LENGTH) return;
      keep([text, ...readRecent(storage).filter((each) => each !== text)].slice(0, MAX_RECENT));
    },
    forgetQueries: () => keep([]),
  };
}

function readRecent(storage: Kept): readonly string[] {
  const kept = parseJson(storage.getItem(RECENT_KEY) ?? '[]');
  return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : [];
}

function readEditor(storage: Kept): Editor {
  const names = Object.keys(EDITOR_LABELS) as EditorName[];
  const kept = storage.getItem(EDITOR_KEY);
  return {
    name: names.find((name) => name === kept) ?? 'vscode',
    template: storage.getItem(TEMPLATE_KEY) ?? '',
  };
}
