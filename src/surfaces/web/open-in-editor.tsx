/** A link that opens a file in the editor of the user, and the choice of that editor. */
import { Choice } from './controls.tsx';
import { EDITOR_LABELS, editorLink, isTemplate } from './editors.ts';
import { usePage } from './page.ts';

interface Props {
  /** Absolute path; undefined for a document that is no file. */
  readonly file: string | undefined;
  readonly line: number;
}

export function OpenInEditor({ file, line }: Props) {
  const { remembered } = usePage();
  const address = file && editorLink(remembered.editor.value, file, line);
  if (!address) return null;
  return (
    <a class="button" href={address}>
      Open in editor
    </a>
  );
}

export function EditorChoice() {
  const { remembered } = usePage();
  const { name, template } = remembered.editor.value;
  const isWrong = template !== '' && !isTemplate(template);
  return (
    <>
      <Choice
        label="Open files in"
        value={name}
        names={EDITOR_LABELS}
        choose={(next) => remembered.chooseEditor({ name: next })}
      />
      {name === 'own' && (
        <>
          <label>
            Its address{' '}
            <input
              class="template"
              placeholder="myeditor://open?file={file}&line={line}"
              aria-invalid={isWrong}
              aria-describedby="template-fault"
              autocomplete="off"
              spellcheck={false}
              value={template}
              onInput={({ currentTarget }) => remembered.chooseEditor({ template: currentTarget.value })}
            />
          </label>
          <span id="template-fault" role="status">
            {isWrong &&
              'Write an address of a program, with {file} in it. Web addresses and scripts are refused.'}
          </span>
        </>
      )}
    </>
  );
}
