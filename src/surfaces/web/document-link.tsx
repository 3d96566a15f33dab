/** A link that opens a document beside the results; with Ctrl, Shift or the middle button, in another tab or window. */
import type { AnchorHTMLAttributes, ComponentChildren } from 'preact';
import { oneLine } from '../../core/text/one-line.ts';
import { plainMarkdown } from '../../core/text/plain-markdown.ts';
import { STOP } from './keys.ts';
import { usePage } from './page.ts';
import { addressOf, type OpenDocument, type Place } from './place.ts';

interface Props {
  readonly to: OpenDocument;
  readonly title?: string;
  /** Whether the arrow keys stop at the link. */
  readonly isStop?: boolean;
  readonly chunkId?: string;
  readonly children: ComponentChildren;
}

export function DocumentLink({ to, title, isStop = false, chunkId, children }: Props) {
  const { place } = usePage();
  return (
    <PlaceLink
      to={{ document: to }}
      dir="auto"
      data-document={to.id}
      data-lines={to.lines?.join('-')}
      aria-current={isOpen(to, place.value.document) ? 'true' : undefined}
      {...(title && { title })}
      {...(isStop && { [STOP]: '' })}
      {...(chunkId && { 'data-chunk': chunkId })}
    >
      {children}
    </PlaceLink>
  );
}

/** Whether a link leads to what is open. Compares lines too, because several hits may be in the open document. */
function isOpen(to: OpenDocument, open: OpenDocument | undefined): boolean {
  return to.id === open?.id && (!to.lines || !open.lines || to.lines[0] === open.lines[0]);
}

interface PlaceProps extends Omit<AnchorHTMLAttributes, 'href' | 'onClick' | 'role'> {
  readonly to: Partial<Place>;
}

export function PlaceLink({ to, ...more }: PlaceProps) {
  const { place, go, open } = usePage();
  return (
    <a
      {...more}
      href={addressOf({ ...place.value, ...to })}
      onClick={(event) => {
        if (isForElsewhere(event)) return;
        event.preventDefault();
        if (to.document) open(to.document);
        else go(to);
      }}
    />
  );
}

/** A title without Markdown marks, which titles in front matter may have, and without marks that reorder the text around it. */
export function plainTitle(title: string): string {
  return oneLine(plainMarkdown(title).text);
}

/** Whether a click asks for another tab or window. */
export function isForElsewhere({ ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey;
}
