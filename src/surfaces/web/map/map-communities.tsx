/** The communities of the map: the legend of its colours, and the map as text, with the most linked documents of each. */
import { useState } from 'preact/hooks';
import { DocumentLink, plainTitle } from '../document-link.tsx';
import { colourOf } from './map-colours.ts';
import type { MapAnswer } from './map-graph.ts';

interface Props {
  readonly answer: MapAnswer;
  readonly chosen: number | undefined;
  choose(community: number | undefined): void;
}

const FIRST = 12;
/** Documents that are listed for a community. */
const MEMBERS = 20;

export function Communities({ answer, chosen, choose }: Props) {
  const [isWhole, setWhole] = useState(false);
  const groups = Map.groupBy(answer.documents.ids.keys(), (at) => answer.documents.communities[at]!);
  const shown = [...groups].filter(([community]) => community >= 0).sort(([a], [b]) => a - b);
  return (
    <section class="map-legend" aria-label="Communities">
      <h2>Communities</h2>
      <p class="quiet">
        Documents that link to each other more than to others. Each is named by its most linked document.
      </p>
      <ul>
        {shown.slice(0, isWhole ? shown.length : FIRST).map(([community, members]) => (
          <li key={community}>
            <details
              open={chosen === community}
              onToggle={({ currentTarget: { open } }) => {
                if (open) choose(community);
                else if (chosen === community) choose(undefined);
              }}
            >
              <summary>
                <i class="swatch" style={{ background: colourOf(community) }} />
                <bdi>{plainTitle(answer.communities[community]!.title)}</bdi>{' '}
                <span class="quiet">{members.length.toLocaleString()}</span>
                <span class="hidden"> {members.length === 1 ? 'document' : 'documents'}</span>
              </summary>
              {chosen === community && <Members answer={answer} members={members} />}
            </details>
          </li>
        ))}
      </ul>
      {!isWhole && shown.length > FIRST && (
        <button type="button" onClick={() => setWhole(true)}>
          Show {shown.length - FIRST} smaller ones
        </button>
      )}
    </section>
  );
}

function Members({ answer, members }: { readonly answer: MapAnswer; readonly members: readonly number[] }) {
  const { ids, titles, neighbours } = answer.documents;
  return (
    <ul>
      {members.slice(0, MEMBERS).map((at) => (
        <li key={ids[at]}>
          <DocumentLink to={{ id: ids[at]! }} title={ids[at]!} isStop>
            {plainTitle(titles[at]!)}
          </DocumentLink>{' '}
          <span class="quiet">
            {neighbours[at]} {neighbours[at] === 1 ? 'link' : 'links'}
          </span>
        </li>
      ))}
      {members.length > MEMBERS && <li>and {(members.length - MEMBERS).toLocaleString()} more</li>}
    </ul>
  );
}
