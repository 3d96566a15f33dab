/** A button that copies a text, where the browser lets a page do so. */
import { usePage } from './page.ts';

interface Props {
  readonly label: string;
  readonly text: () => string;
}

export function CopyButton({ label, text }: Props) {
  const { message } = usePage();
  // Browsers offer the clipboard only over https and on this machine.
  if (!navigator.clipboard) return null;
  async function copy(): Promise<void> {
    // A text that was shown before would not be read aloud again.
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
