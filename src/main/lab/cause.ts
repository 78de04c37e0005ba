import { setTimeout as sleep } from 'node:timers/promises';
import { LabError } from '../../lab/errors.ts';
import type { Lab } from '../../lab/lab.ts';

/** The end of a process is heard a little after the first call that it did not answer. */
const NOTICE_MS = 500;

/** What is to be told of an error: that a part of the lab has ended, where one has, since all else follows from that. */
export async function causeIn(lab: Pick<Lab, 'broken'>, error: unknown): Promise<unknown> {
  const why = await Promise.race([lab.broken, sleep(NOTICE_MS, undefined, { ref: false })]);
  return why === undefined ? error : new LabError('LabBroken', why);
}
