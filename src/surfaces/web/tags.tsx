/** The tags of a document, which narrow the search when clicked. */
import { usePage } from './page.ts';

/** Max tags that are shown of one document. */
const MAX_TAGS = 8;

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
