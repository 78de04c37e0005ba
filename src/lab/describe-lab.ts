import { describe, inject } from 'vitest';

/** A suite that needs the lab's binaries; left out, and counted, where there are none. */
export const describeLab = describe.skipIf(inject('labAssets') === '');
