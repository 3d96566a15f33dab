/** A field that finds a document on the map by its title or path. */
import { useState } from 'preact/hooks';
import { isChoice } from '../controls.tsx';
import { usePage } from '../page.ts';
import type { MapAnswer } from './map-graph.ts';

const MAX_SHOWN = 20;

export function MapFinder({ answer }: { readonly answer: MapAnswer }) {
  const { open, message } = usePage();
  const [text, setText] = useState('');
  const found = matching(answer, text);

  function take(id: string | undefined): void {
    if (id !== undefined) open({ id });
    else message.value = 'No document on the map has this in its title or path.';
    setText(id === undefined ? text : '');
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') take(found[0]?.id);
      }}
    >
      <input
        list="map-documents"
        aria-label="Find a document on the map"
        placeholder="Find on the map: title or path"
        autocomplete="off"
        dir="auto"
        value={text}
        onInput={(event) => {
          const { value } = event.currentTarget;
          setText(value);
          if (isChoice(event) && answer.documents.ids.includes(value)) take(value);
        }}
      />
      <datalist id="map-documents">
        {found.map(({ id, title }) => (
          <option key={id} value={id} label={title} />
        ))}
      </datalist>
    </form>
  );
}

/** Documents whose title or path contains a text: first those whose title begins with it, then the most linked. */
function matching({ documents: { ids, titles } }: MapAnswer, text: string) {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const all = ids.map((id, at) => ({ id, title: titles[at]! }));
  const { begins = [], contains = [] } = Object.groupBy(all, ({ id, title }) => {
    const lower = title.toLowerCase();
    if (lower.startsWith(wanted)) return 'begins';
    return lower.includes(wanted) || id.toLowerCase().includes(wanted) ? 'contains' : 'lacks';
  });
  return [...begins, ...contains].slice(0, MAX_SHOWN);
}
