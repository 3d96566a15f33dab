/** What the browser remembers for this page alone: the editor that was chosen and recent queries. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { EDITORS, type EditorName } from './editors.ts';

export interface Remembered {
  readonly editor: ReadonlySignal<EditorName>;
  chooseEditor(name: EditorName): void;
  /** The latest first. */
  readonly recent: ReadonlySignal<readonly string[]>;
  remember(query: string): void;
  forgetQueries(): void;
}

const MAX_RECENT = 12;
/** Longer queries are not remembered. */
const MAX_LENGTH = 300;
const EDITOR_KEY = 'docfuse-editor';
const RECENT_KEY = 'docfuse-recent';

export function createRemembered(): Remembered {
  const editor = signal(
    EDITORS.find(({ name }) => name === localStorage.getItem(EDITOR_KEY))?.name ?? 'vscode',
  );
  const recent = signal(readRecent());
  function keep(queries: readonly string[]): void {
    recent.value = queries;
    localStorage.setItem(RECENT_KEY, JSON.stringify(queries));
  }
  return {
    editor,
    chooseEditor(name) {
      editor.value = name;
      localStorage.setItem(EDITOR_KEY, name);
    },
    recent,
    remember(query) {
      const text = query.trim();
      if (text === '' || text.length > MAX_LENGTH) return;
      keep([text, ...recent.value.filter((each) => each !== text)].slice(0, MAX_RECENT));
    },
    forgetQueries: () => keep([]),
  };
}

function readRecent(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(RECENT_KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
