/** The filters of the search as chips, and a field that completes further ones from the collection. */
import { useState } from 'preact/hooks';
import { usePage } from './page.ts';
import { type Filter, readFilter } from './place.ts';
import { matching, readSuggestions } from './suggestions.ts';

export function FilterBar() {
  const { place, go } = usePage();
  const { filters } = place.value;
  return (
    <div class="filters">
      {filters.map((filter) => (
        <button
          key={`${filter.field}:${filter.value}`}
          type="button"
          class="chip"
          aria-label={`Remove the filter ${filter.field}: ${filter.value}`}
          onClick={() => go({ filters: filters.filter((each) => each !== filter) })}
        >
          {filter.field}: <bdi>{filter.value}</bdi> <span aria-hidden="true">×</span>
        </button>
      ))}
      <AddFilter add={(filter) => go({ filters: [...filters, filter] })} />
    </div>
  );
}

function AddFilter({ add }: { readonly add: (filter: Filter) => void }) {
  const { session, message } = usePage();
  const [text, setText] = useState('');
  const [all, setAll] = useState<readonly string[] | undefined>();

  function take(written: string): void {
    const filter = readFilter(written) ?? readFilter(matching(all ?? [], written)[0] ?? '');
    if (filter) add(filter);
    else message.value = 'Write a filter such as tag:auth or after:30d.';
    setText(filter ? '' : written);
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        take(text);
      }}
    >
      <input
        class="add"
        list="suggestions"
        aria-label="Add a filter"
        placeholder="Add a filter: tag, path, author, after …"
        autocomplete="off"
        dir="auto"
        value={text}
        onFocus={async () => all ?? setAll(await readSuggestions(session))}
        onInput={(event) => {
          const { value } = event.currentTarget;
          setText(value);
          // A choice from the list comes as a replacement; typed text waits for Enter.
          const isChosen = (event as InputEvent).inputType !== 'insertText' && all?.includes(value);
          if (isChosen) take(value);
        }}
      />
      <datalist id="suggestions">
        {matching(all ?? [], text).map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </form>
  );
}
