/** The state that all parts of the page share. It is made once, when the page starts. */

import { type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { createFinder, type Finder } from './finder.ts';
import { createPlaceHistory, type PlaceHistory } from './history.ts';
import type { OpenDocument } from './place.ts';
import { createReader, type Reader } from './reader.ts';
import { createRemembered, type Remembered } from './remembered.ts';
import { createRenderer } from './render-document.ts';
import { createSession, type Session } from './session.ts';

export interface Page extends PlaceHistory {
  readonly session: Session;
  readonly finder: Finder;
  readonly reader: Reader;
  readonly remembered: Remembered;
  readonly render: ReturnType<typeof createRenderer>;
  /** A short message that is shown and read aloud. */
  readonly message: Signal<string>;
  readonly isHelpOpen: Signal<boolean>;
  open(document: OpenDocument): void;
  close(): void;
}

export function createPage(): Page {
  const session = createSession();
  const { place, go } = createPlaceHistory();
  const remembered = createRemembered();
  return {
    ...{ session, place, go, remembered },
    finder: createFinder(session, place),
    reader: createReader(session, place),
    render: createRenderer(),
    message: signal(''),
    isHelpOpen: signal(false),
    open(document) {
      remembered.remember(place.value.query);
      go({ document });
    },
    close: () => go({ document: undefined }),
  };
}

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  return useContext(PageContext)!;
}
