/** What to write into an assistant's configuration, and what became of it. */
import type { installMcp } from '../../operations/install-mcp.ts';
import { printable } from '../terminal.ts';
import type { View } from './view.ts';

export const installMcpView: View<typeof installMcp> = {
  show({ client, file, configuration, outcome, reason }, { write, note }) {
    const place = printable(file);
    if (outcome === 'written') note(`Written to ${place}. Restart ${client} to load it.`);
    else if (outcome === 'unchanged') note(`${place} says so already.`);
    else {
      if (outcome === 'refused') note(`${place} was left as it is. ${reason}`);
      note(`Add this to ${place} and restart ${client}:`);
      write(printable(configuration.trimEnd()));
    }
  },
};
