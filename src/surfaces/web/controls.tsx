/** Small controls that several parts of the page share. */
import { usePage } from './page.ts';
import type { Told } from './session.ts';

interface ChoiceProps<Name extends string> {
  readonly label: string;
  readonly value: Name;
  readonly names: Readonly<Record<Name, string>>;
  readonly choose: (name: Name) => void;
}

export function Choice<Name extends string>({ label, value, names, choose }: ChoiceProps<Name>) {
  return (
    <label class="choice">
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value as Name)}>
        {Object.entries<string>(names).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Copies a text. Shown only if the browser lets the page do so. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const { message } = usePage();
  // Browsers offer the clipboard only over https and on this machine.
  if (!navigator.clipboard) return null;
  async function copy(): Promise<void> {
    // Clear the message first: a screen reader does not repeat an unchanged message.
    message.value = '';
    message.value = await navigator.clipboard.writeText(text()).then(
      () => 'Copied.',
      () => 'The browser did not allow copying.',
    );
  }
  return (
    <button type="button" onClick={copy}>
      {label}
    </button>
  );
}

const MAX_TAGS = 8;

/** The tags of a document. A click on one narrows the search. */
export function Tags({ tags }: { readonly tags: readonly string[] }) {
  const { place, go } = usePage();
  const { filters } = place.value;
  const shown = tags.slice(0, MAX_TAGS).map((tag) => (
    <button
      key={tag}
      type="button"
      class="tag"
      title={`Only documents with the tag ${tag}`}
      onClick={() => {
        const isThere = filters.some(({ field, value }) => field === 'tag' && value === tag);
        if (!isThere) go({ filters: [...filters, { field: 'tag', value: tag }] });
      }}
    >
      #<bdi>{tag}</bdi>
    </button>
  ));
  const others = tags.length - shown.length;
  return (
    <>
      {shown}
      {others > 0 && <span>and {others.toLocaleString()} more</span>}
    </>
  );
}

/** Says what went wrong and what to do about it. @param of an outcome; nothing is shown without a problem */
export function ProblemNotice({ of }: { readonly of: { readonly problem?: Told | undefined } | undefined }) {
  const { place } = usePage();
  if (!of?.problem) return null;
  const { code, detail, remedy } = of.problem;
  const isFilter = code === 'usage' && place.value.filters.some(({ field }) => detail.includes(`${field}: `));
  return (
    <p class="notice" role="alert">
      {detail} {isFilter ? 'Correct or remove the filter.' : remedy}
    </p>
  );
}

/** Whether an input event is a choice from the list of a field. Browsers report it as a replacement, or without a type. */
export function isChoice(event: Event): boolean {
  return ['insertReplacementText', undefined].includes((event as InputEvent).inputType);
}
