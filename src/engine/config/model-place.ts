/** Finds the folder of a model that a setting names: in the package, among the pulled models, or any other folder. */
import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { pathInside } from '../path-inside.ts';
import { modelsFolder, packagedModels } from './places.ts';
import { AUTO_MODEL, PACKAGED_MODEL } from './settings.ts';

/**
 * Looks up a bare name in the package, and `org/name` among the pulled models. Anything else is a path.
 * @returns `name` is the text of the setting; absent for a packaged model and for a path, because the model's files hold its name
 */
export function placeOfModel(
  model: string,
  cwd: string,
): { readonly folder: string; readonly name?: string } {
  if (isAbsolute(model) || /^\.|\\/.test(model)) return { folder: resolve(cwd, model) };
  const packaged = join(packagedModels(), model === AUTO_MODEL ? PACKAGED_MODEL : model);
  if (!model.includes('/') && existsSync(packaged)) return { folder: packaged };
  const pulled = join(modelsFolder(), model);
  if (model.split('/').length === 2 && existsSync(pulled)) return { folder: pulled, name: model };
  const folder = resolve(cwd, model);
  return existsSync(folder) ? { folder } : { folder, name: model };
}

/** Whether a setting names a model of the package or a model that can be pulled; false for another folder of this machine. */
export function isNamedModel(model: string, cwd: string): boolean {
  const { folder, name } = placeOfModel(model, cwd);
  return name !== undefined || pathInside(packagedModels(), folder) !== undefined;
}
