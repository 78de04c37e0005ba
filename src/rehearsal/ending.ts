import { effectiveStrategy } from '../decide/eviction-strategy.ts';
import { field } from '../decide/evidence.ts';
import type { Evidence, Table } from '../decide/rules.ts';
import type { Settings } from '../decide/settings.ts';
import type { Outcome } from '../forecast/forecast.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { isMarked } from '../kubevirt/predicates.ts';
import { hasArrived, type Story } from './story.ts';

/** What is known of a VM when a rehearsal has ended. */
export interface Ending {
  readonly story: Story;
  /** As it is in the end; absent: gone. */
  readonly vmi: Vmi | undefined;
  readonly settings: Settings;
}

const SOURCE = 'drover: the words of the forecast';

const rule = (
  name: string,
  asks: string,
  outcome: Outcome,
  when: (ending: Ending) => boolean,
): Table<Ending, Outcome>[number] => ({ name, asks, source: SOURCE, when, reads, then: () => outcome });

/** What the owner of a VM has seen in the end, from its story. The first rule that holds decides. */
export const endingTable: Table<Ending, Outcome> = [
  rule('CutDown', 'did the node go down with the guest on it?', 'Cut', ({ story }) =>
    story.outages.some(({ how }) => how === 'Cut'),
  ),
  rule(
    'ReplacedByOthers',
    'was it left to another controller, which has taken the VM away?',
    'HandedOver',
    ({ story }) => story.isLeftToOthers && story.isGone,
  ),
  rule('OffInTheEnd', 'has the guest gone and not come back?', 'StaysOff', ({ story, vmi }) => {
    const outage = story.outages.at(-1);
    return outage !== undefined && outage.upAt === undefined && !isComing(vmi);
  }),
  rule('CameBack', 'was the guest down for a time?', 'Restarts', ({ story }) => story.outages.length > 0),
  rule('Moved', 'did the guest move without going down?', 'LiveMigrates', ({ story }) =>
    story.moves.some(hasArrived),
  ),
  rule(
    'LeftToOthers',
    'is it marked, and another controller to act?',
    'HandedOver',
    ({ vmi, settings }) => hasMark(vmi) && effectiveStrategy(vmi, settings) === 'External',
  ),
  rule(
    'StillTrying',
    'has it been tried to move it, and not been called off?',
    'NeverCompletes',
    ({ story, vmi }) => story.attempts > story.calledOff || (isToBeEvacuated(vmi) && story.refusals.size > 0),
  ),
  rule('Refused', 'was its eviction refused?', 'Blocks', ({ story }) => story.refusals.size > 0),
  rule('NothingHappened', 'otherwise', 'Untouched', () => true),
];

/** Others may act on the mark of any node; KubeVirt's own evacuation on that of the VMI's alone. */
function hasMark(vmi: Vmi | undefined): vmi is Vmi {
  return vmi !== undefined && isMarked(vmi);
}

function isToBeEvacuated(vmi: Vmi | undefined): boolean {
  return hasMark(vmi) && vmi.status?.evacuationNodeName === vmi.status?.nodeName;
}

/** A VMI that is not final is on its way up, however long it waits for a node. */
function isComing(vmi: Vmi | undefined): boolean {
  const phase = vmi?.status?.phase;
  return vmi !== undefined && phase !== 'Succeeded' && phase !== 'Failed';
}

function reads({ story, vmi }: Ending): Evidence[] {
  const about = { kind: 'VirtualMachineInstance', metadata: { name: story.vm } };
  return [
    field(about, 'outages', story.outages.length),
    field(about, 'moves', story.moves.length),
    field(about, 'refusals', story.refusals.size),
    field(about, 'attempts', story.attempts),
    field(about, 'calledOff', story.calledOff),
    field(about, 'status.evacuationNodeName', vmi?.status?.evacuationNodeName),
  ];
}
