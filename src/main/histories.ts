import type { ObjectDifference } from '../conformance/replay/compare-courses.ts';
import { messageOf } from '../kubevirt/thrown.ts';
import { placeOf, type ReplayResult, recordingsIn, replayHistory } from './replay/replays.ts';
import { scriptFlags } from './script-flags.ts';

const USAGE = `usage: npm run histories -- [flags]

Plays recordings of the real control plane in the simulator. Nothing but orders and nodes is taken from
a recording. Where objects differ, it is also said how many do where races within virt-controller, which
are a matter of milliseconds, may go as they have to. Exits 1 when an object goes another way, 2 when a
recording cannot be played.

  --dir DIR     A folder of recordings, or one of them (default testdata/histories)
  --only NAME   This recording alone
  --all         Every object that differs, not the first of each recording
  --strict      Without races`;

const { values } = scriptFlags(USAGE, {
  options: {
    dir: { type: 'string', default: 'testdata/histories' },
    only: { type: 'string' },
    all: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
  },
});

const place = placeOf(values.dir, values.only);

for (const name of names()) {
  try {
    const result = await replayHistory(place.folder, name, { strict: true });
    tell(result);
    if (result.differing.length > 0 && !values.strict) tellRaces(await replayHistory(place.folder, name));
  } catch (error) {
    cannotTell(error);
  }
}

function names(): string[] {
  try {
    const found = recordingsIn(place.folder).filter((name) => name === (place.only ?? name));
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

function tell({ name, agree, differing }: ReplayResult): void {
  console.log(`${name}: ${agree} objects agree, ${differing.length} differ`);
  for (const difference of values.all ? differing : differing.slice(0, 1)) console.log(inLines(difference));
  if (differing.length > 0) process.exitCode ??= 1;
}

function tellRaces({ agree, differing, races, turned }: ReplayResult): void {
  const otherwise = `${turned} of ${races} races within virt-controller going otherwise`;
  console.log(`  with ${otherwise}: ${agree} objects agree, ${differing.length} differ`);
}

function inLines({ object, field, real, ours }: ObjectDifference): string {
  return [`  ${object}: ${field}`, `    real ${real}`, `    ours ${ours}`].join('\n');
}
