/** The configuration of an assistant: what was written, or what to write. */
import { oneLine } from '../../../core/text/one-line.ts';
import type { installMcp } from '../../operations/install-mcp.ts';
import type { View } from './view.ts';

export const installMcpView: View<typeof installMcp> = {
  show({ client, file, configuration, outcome, reason }, { write, note }) {
    if (outcome === 'written') note(`Written to ${file}. Restart ${client} to load it.`);
    else if (outcome === 'unchanged') note(`${file} is already up to date.`);
    else {
      if (outcome === 'refused') note(`${file} was not changed. ${reason}`);
      note(`Add this to ${file} and restart ${client}:`);
      // JSON and TOML read its escapes.
      write(configuration.trimEnd().split('\n').map(oneLine).join('\n'));
    }
  },
};
