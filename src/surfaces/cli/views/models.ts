/** Models on a terminal. */
import { oneLine } from '../../../core/text/one-line.ts';
import type { listModels, locateModel, pullModel, removeModel } from '../../operations/models.ts';
import { formatBytes, plural } from '../terminal.ts';
import type { View } from './view.ts';

/** One model a line: name, size, day it was pulled. */
export const listModelsView: View<typeof listModels> = {
  show({ folder, models }, { print, note }) {
    const widest = Math.max(0, ...models.map(({ name }) => name.length));
    for (const { name, bytes, pulled } of models) {
      print(oneLine(`${name.padEnd(widest)}  ${formatBytes(bytes).padStart(8)}  ${pulled.slice(0, 10)}`));
    }
    note(`${plural(models.length, 'pulled model')} in ${folder}`);
  },
};

export const pullModelView: View<typeof pullModel> = {
  show({ model, changed }, { write, note }) {
    write(oneLine(model.folder));
    note(changed ? `${model.name}: ${formatBytes(model.bytes)} pulled.` : `${model.name} is up to date.`);
  },
};

export const removeModelView: View<typeof removeModel> = {
  show({ model }, { note }) {
    note(`${model.name} deleted, ${formatBytes(model.bytes)} freed.`);
  },
};

export const locateModelView: View<typeof locateModel> = {
  show({ folder }, { write }) {
    write(oneLine(folder));
  },
};
