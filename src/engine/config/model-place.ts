/** Where the model of a setting lies: inside the package, among the pulled ones, or in a folder. */
import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { pathInside } from '../path-inside.ts';
import { modelsFolder, packagedModels } from './places.ts';

/**
 * A bare name is looked for in the package, `org/name` among the pulled models; all else is a path.
 * @returns `name`: as the setting calls it; absent for a folder, whose files say
 */
export function placeOfModel(
  model: string,
  cwd: string,
): { readonly folder: string; readonly name?: string } {
  if (isAbsolute(model) || /^\.|\\/.test(model)) return { folder: resolve(cwd, model) };
  const packaged = join(packagedModels(), model);
  if (!model.includes('/') && existsSync(packaged)) return { folder: packaged };
  const pulled = join(modelsFolder(), model);
  if (model.split('/').length === 2 && existsSync(pulled)) return { folder: pulled, name: model };
  const folder = resolve(cwd, model);
  return existsSync(folder) ? { folder } : { folder, name: model };
}

/** Whether it names a model of the package, or one that is pulled or can be; no other folder is loaded for it. */
export function isNamedModel(model: string, cwd: string): boolean {
  const { folder, name } = placeOfModel(model, cwd);
  return name !== undefined || pathInside(packagedModels(), folder) !== undefined;
}
