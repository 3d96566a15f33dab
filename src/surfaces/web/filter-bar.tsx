/** The filters of the search as chips, and a field that adds filters and suggests them from the collection. */
import { useRef, useState } from 'preact/hooks';
import { isChoice } from './controls.tsx';
import { usePage } from './page.ts';
import { type Filter, readFilter } from './place.ts';
import { matching, meant, readSuggestions } from './suggestions.ts';

export function FilterBar() {
  const { place, go } = usePage();
  const { filters } = place.value;
  function add({ field, value }: Filter): void {
    const others = filters.filter((each) => each.field !== field || each.value !== value);
    go({ filters: [...others, { field, value }] });
  }
  return (
    <div class="filters">
      {filters.map((filter) => (
        <button
          key={`${filter.field}:${filter.value}`}
          type="button"
          class="chip"
          aria-label={`Remove the filter ${filter.field}: ${filter.value}`}
          onClick={({ currentTarget: { parentElement } }) => {
            go({ filters: filters.filter((each) => each !== filter) });
            parentElement?.querySelector('input')?.focus();
          }}
        >
          {filter.field}: <bdi>{filter.value}</bdi> <span aria-hidden="true">×</span>
        </button>
      ))}
      <AddFilter add={add} />
    </div>
  );
}

function AddFilter({ add }: { readonly add: (filter: Filter) => void }) {
  const { session } = usePage();
  const [text, setText] = useState('');
  const [advice, setAdvice] = useState('');
  const [all, setAll] = useState<readonly string[]>([]);
  const isRead = useRef(false);

  /** Reads the suggestions once. If some could not be read, the next call reads them again. */
  async function read(): Promise<void> {
    if (isRead.current) return;
    isRead.current = true;
    isRead.current = await readSuggestions(session, setAll);
  }

  function take(written: string): void {
    const filter = readFilter(written) ?? readFilter(meant(all, written) ?? '');
    if (filter) add(filter);
    setAdvice(filter ? '' : 'Choose a filter from the list, or write one such as tag:auth or after:30d.');
    setText(filter ? '' : written);
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') take(text);
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
        onFocus={() => void read()}
        onInput={(event) => {
          const { value } = event.currentTarget;
          setText(value);
          setAdvice('');
          if (isChoice(event) && all.includes(value)) take(value);
        }}
      />
      <datalist id="suggestions">
        {matching(all, text).map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <span class="quiet" role="status">
        {advice}
      </span>
    </form>
  );
}
