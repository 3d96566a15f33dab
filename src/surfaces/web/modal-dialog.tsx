/** A dialog above the page. The browser keeps the focus in the dialog. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Props {
  readonly label: string;
  /** Absent if the dialog must be answered: it opens again when Esc closes it. */
  readonly close?: () => void;
  readonly children: ComponentChildren;
}

export function ModalDialog({ label, close, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label={label} onClose={close ?? (() => dialog.current?.showModal())}>
      {children}
    </dialog>
  );
}
