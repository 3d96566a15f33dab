/** How help is laid out on terminals too narrow for two columns. */
import { type Command, Help, type HelpConfiguration } from 'commander';
import { fitWidth } from './fit-width.ts';

/** Columns that a description needs beside its term. */
const NARROWEST = 20;
const INDENT = 6;

/** Beside each other while there is room, else one below the other. */
export const helpLayout: HelpConfiguration = {
  showGlobalOptions: true,
  /** Not those of a command around this one, which it has itself or refuses. */
  visibleGlobalOptions: (command) =>
    command.parent ? programOf(command).options.filter(({ long }) => long !== '--version') : [],
  minWidthToWrap: NARROWEST,
  styleUsage(this: Help, usage) {
    return fitWidth(`Usage: ${usage}`, widthOf(this)).slice('Usage: '.length);
  },
  formatItem(this: Help, term, termWidth, description, helper) {
    const width = widthOf(this);
    if (width - termWidth - 4 >= NARROWEST || !description) {
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
