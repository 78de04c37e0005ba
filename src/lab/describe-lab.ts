import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, inject } from 'vitest';

/** A suite that needs the lab's binaries; left out, and counted, where there are none. */
export const describeLab = describe.skipIf(inject('labAssets') === '');

/** Whether the lab has a part; binaries from elsewhere (`KUBEBUILDER_ASSETS`) often come without scheduler and controllers. */
export function hasLabPart(name: string): boolean {
  return existsSync(join(inject('labAssets'), name));
}
