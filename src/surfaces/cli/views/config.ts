/** The settings in effect as TOML, with where each comes from as a comment. */
import type { z } from 'zod';
import type { configInit } from '../../operations/config-init.ts';
import type { configSchema } from '../../operations/config-schema.ts';
import type { configSettings } from '../../operations/config-settings.ts';
import type { Immutable } from '../../operations/operation.ts';
import { printable } from '../terminal.ts';
import type { View } from './view.ts';

type Answer = Immutable<z.output<typeof configSettings.output>>;

export const configView: View<Answer> = {
  show({ files, index_path, collections, settings }, { print, terminal }) {
    const { dim, bold } = terminal.colors;
    for (const { file, role } of files) print(dim(`# ${role}: ${printable(file)}`));
    print(`index_path = ${toToml(index_path)}`);
    for (const { name, root, kind, include, exclude } of collections) {
      print(`\n${bold('[[collections]]')}`);
      for (const [key, value] of Object.entries({
        name,
        path: root,
        kind,
        ...(kind === 'git' ? {} : { include, exclude }),
      })) {
        print(`${key} = ${toToml(value)}`);
      }
    }
    // A section without its own keys, and those of one section together: inner sections come after.
    for (const [section, entries] of Map.groupBy(settings, ({ key }) => key.slice(0, key.lastIndexOf('.')))) {
      print(`\n${bold(`[${section}]`)}`);
      for (const { key, value, source, where } of entries) {
        const name = key.slice(section.length + 1);
        const origin = source === 'default' ? 'default' : printable(where ?? 'this call');
        print(
          value === undefined
            ? dim(`# ${name} is not set`)
            : `${name} = ${toToml(value)}  ${dim(`# ${origin}`)}`,
        );
      }
    }
  },
};

export const configSchemaView: View<Immutable<z.output<typeof configSchema.output>>> = {
  show: ({ schema }, { print }) => print(JSON.stringify(schema, undefined, 2)),
};

export const configInitView: View<Immutable<z.output<typeof configInit.output>>> = {
  show: ({ file }, { print }) => print(printable(file)),
};

/** JSON and TOML write strings, numbers, booleans and lists of them alike. */
function toToml(value: unknown): string {
  return printable(JSON.stringify(value));
}
