import { createPlainScan } from '../../../src/core/indexes/vector-matrix.ts';
import { vectorScanContract } from '../../contracts/vector-scan-contract.ts';

vectorScanContract('plain scan', async () => createPlainScan());
