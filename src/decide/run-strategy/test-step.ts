/** VMs with and without their VMI, and what is done. */
import { aVm, aVmi } from '../../kubevirt/builders.ts';
import { parseInstant } from '../../kubevirt/time.ts';

export const now = parseInstant('2026-03-01T12:00:00Z') ?? 0;
export const RECEIVER = 'kubevirt.io/create-migration-target';
export const running = aVmi().build();
export const failed = aVmi().phase('Failed').build();
export const deleting = aVmi().deleting().build();
export const idle = aVm().build();
export const starting = aVm().requesting('Start').build();
export const stopping = aVm().requesting('Stop', 'uid-db').build();
export const noted = aVm().status({ runStrategy: 'RerunOnFailure' });
