/** Lays out help, also on terminals too narrow for two columns. */
import { type Command, Help, type HelpConfiguration } from 'commander';
import { fitWidth } from './fit-width.ts';

/** Min columns for a description beside its term. */
const MIN_WIDTH = 20;
const INDENT = 6;

/** Puts a description beside its term, or below it on a narrow terminal. */
export const helpLayout: HelpConfiguration = {
  showGlobalOptions: true,
  /**
   * Returns only the options of the program. The options of a parent command are left out, because a nested command declares
   * them itself or refuses them.
   */
  visibleGlobalOptions: (command) =>
    command.parent ? programOf(command).options.filter(({ long }) => long !== '--version') : [],
  minWidthToWrap: MIN_WIDTH,
  styleUsage(this: Help, usage) {
    return fitWidth(`Usage: ${usage}`, widthOf(this)).slice('Usage: '.length);
  },
  formatItem(this: Help, term, termWidth, description, helper) {
    const width = widthOf(this);
    if (width - termWidth - 4 >= MIN_WIDTH || !description) {
      return Help.prototype.formatItem.call(this, term, termWidth, description, helper);
    }
    return [`  ${term}`, ' '.repeat(INDENT) + description]
      .map((text) => fitWidth(text, width, INDENT))
      .join('\n');
  },
};

function widthOf({ helpWidth }: Help): number {
  return helpWidth ?? 80;
}

function programOf(command: Command): Command {
  return command.parent ? programOf(command.parent) : command;
}
