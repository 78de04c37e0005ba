/**
 * `npm run histories -- [--dir DIR] [--only NAME] [--all] [--strict]`: plays every recording of the real control plane in the simulator.
 * What KubeVirt decides within milliseconds goes as it has to for the objects to agree, or with `--strict` always the usual way.
 * Exits 1 when an object goes another way, 2 when a recording cannot be played.
 */
import { parseArgs } from 'node:util';
import type { ObjectDifference } from '../conformance/replay/compare-courses.ts';
import { messageOf } from '../kubevirt/thrown.ts';
import { type ReplayResult, recordingsIn, replayHistory } from './replays.ts';

const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: 'testdata/histories' },
    only: { type: 'string' },
    all: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
  },
});

for (const name of names()) {
  try {
    tell(await replayHistory(values.dir, name, { strict: values.strict }));
  } catch (error) {
    cannotTell(error);
  }
}

function names(): string[] {
  try {
    const found = recordingsIn(values.dir).filter(
      (name) => values.only === undefined || name === values.only,
    );
    if (found.length > 0) return found;
    throw new Error(`no recording in ${values.dir}: give a folder of recordings with --dir`);
  } catch (error) {
    cannotTell(error);
    return [];
  }
}

function cannotTell(error: unknown): void {
  console.error(`histories: ${messageOf(error)}`);
  process.exitCode = 2;
}

function tell({ name, agree, differing, races, turned }: ReplayResult): void {
  console.log(`${name}: ${agree} objects agree, ${differing.length} differ`);
  for (const difference of values.all ? differing : differing.slice(0, 1)) console.log(inLines(difference));
  if (turned > 0) console.log(`  ${turned} of ${races} races went another way than the usual one`);
  if (differing.length > 0) process.exitCode ??= 1;
}

function inLines({ object, field, real, ours }: ObjectDifference): string {
  return [`  ${object}: ${field}`, `    real ${real}`, `    ours ${ours}`].join('\n');
}
