import { createPlainScan } from '../../../src/core/indexes/plain-scan.ts';
import { vectorScanContract } from '../../contracts/vector-scan-contract.ts';

vectorScanContract('plain scan', async () => createPlainScan());
