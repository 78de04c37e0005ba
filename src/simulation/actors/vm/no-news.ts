/** Changes that the VM controller has nothing to do about. Parts are compared by reference, so that some are not known as such. */
import { isSameBut } from '../../../kubevirt/json.ts';
import type { VirtualMachine, Vmi } from '../../../kubevirt/objects.ts';
import { isSameCourse } from '../vmi/copy-news.ts';

const PRINTED = new Set(['printableStatus']);
const VERSION = new Set(['resourceVersion']);

/** Whether a VM has changed in nothing but how it is printed, which follows from all else. */
export function isPrintedNews(before: VirtualMachine, after: VirtualMachine): boolean {
  return (
    before.status?.printableStatus !== undefined &&
    before.spec === after.spec &&
    isSameBut(PRINTED, before.status, after.status) &&
    isSameBut(VERSION, before.metadata, after.metadata)
  );
}

/** Whether a VMI has changed in nothing that its VM shows or acts on. */
export function isNoNewsForVm(before: Vmi | undefined, after: Vmi | undefined): boolean {
  if (!before || !after || before.metadata.uid !== after.metadata.uid) return false;
  const [old, now] = [before.status, after.status];
  return (
    before.spec === after.spec &&
    before.metadata.deletionTimestamp === after.metadata.deletionTimestamp &&
    before.metadata.finalizers === after.metadata.finalizers &&
    old?.phase === now?.phase &&
    old?.conditions === now?.conditions &&
    isSameCourse(old?.migrationState, now?.migrationState)
  );
}
