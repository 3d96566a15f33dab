/** The place of an index in a folder, and a place in memory, keep one contract. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { createFolderPlace } from '../../../src/adapters/store/folder-place.ts';
import { placeContract } from '../../contracts/place-contract.ts';
import { createReferencePlace } from '../../support/reference-place.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

placeContract('a folder', () => {
  const place = createFolderPlace(join(temporaryFolder(), 'index'), () => undefined);
  return {
    place,
    replace() {
      const other = createFolderPlace(join(temporaryFolder(), 'index'), () => undefined);
      other.open().close();
      renameSync(other.name, place.name);
    },
  };
});
placeContract('the reference', createReferencePlace);
