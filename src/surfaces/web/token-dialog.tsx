/** Asks for the token, once for each tab. */

import { ModalDialog } from './modal-dialog.tsx';
import { usePage } from './page.ts';

export function TokenDialog() {
  const { connection } = usePage().session;
  const state = connection?.token.value ?? 'fine';
  if (state === 'fine') return null;
  return (
    <ModalDialog label="Token">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          connection!.giveToken(String(new FormData(event.currentTarget).get('token')));
        }}
      >
        <h2>This server needs a token</h2>
        <p>{state === 'wrong' ? 'That token is wrong. ' : ''}It is kept until this tab is closed.</p>
        <label>
          Token <input name="token" type="password" autocomplete="off" required pattern="\s*[!-~]+\s*" />
        </label>{' '}
        <button type="submit">Continue</button>
      </form>
    </ModalDialog>
  );
}
