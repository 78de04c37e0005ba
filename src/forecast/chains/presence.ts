import { vmiField } from '../../decide/evidence.ts';
import type { Table } from '../../decide/rules.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { isFinal } from '../../kubevirt/predicates.ts';
import type { Context } from '../context.ts';
import type { Ending } from '../ending.ts';
import type { Trail } from '../trail.ts';
import { orReplacedMeanwhile } from './external.ts';

/** Whether there is a running guest that an eviction could reach at all; the answer says why not, or is empty. */
const presenceTable: Table<Vmi, string> = [
  {
    name: 'HasEnded',
    asks: 'the VMI has ended already',
    source: 'kubevirt v1.9.0 staging/src/kubevirt.io/api/core/v1/types.go IsFinal',
    when: isFinal,
    reads: (vmi) => [vmiField(vmi, 'status.phase', vmi.status?.phase)],
    then: (vmi) => `has ended already (${vmi.status?.phase})`,
  },
  {
    name: 'BeingDeleted',
    asks: 'the VMI is being deleted already',
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/vmi/lifecycle.go:456-480',
    when: (vmi) => vmi.metadata.deletionTimestamp !== undefined,
    reads: (vmi) => [vmiField(vmi, 'metadata.deletionTimestamp', vmi.metadata.deletionTimestamp)],
    then: () => 'is being deleted already',
  },
  {
    name: 'NotScheduled',
    asks: 'the VMI is on no node yet',
    source: 'kubevirt v1.9.0 pkg/virt-controller/watch/vmi/lifecycle.go:430-453',
    when: (vmi) => !vmi.status?.nodeName,
    reads: (vmi) => [vmiField(vmi, 'status.nodeName', vmi.status?.nodeName)],
    then: () => 'is on no node yet',
  },
  {
    name: 'Present',
    asks: 'otherwise there is something to evict',
    source: 'kubevirt v1.9.0 staging/src/kubevirt.io/api/core/v1/types.go',
    when: () => true,
    reads: (vmi) => [
      vmiField(vmi, 'status.phase', vmi.status?.phase),
      vmiField(vmi, 'status.nodeName', vmi.status?.nodeName),
    ],
    then: () => '',
  },
];

/** A VMI that has ended or is going anyway is not touched by an eviction; of any other the future is told by `follow`. */
export function foreseeIfPresent(context: Context, vmi: Vmi, trail: Trail, follow: () => Ending): Ending {
  const presence = trail.ask(
    'presence',
    presenceTable,
    vmi,
    ({ result }) => result || 'there is something to evict',
  );
  if (presence.result === '') return follow();
  const ending: Ending = { outcome: 'Untouched', reason: presence.reason, says: presence.result };
  return presence.reason === 'BeingDeleted' ? orReplacedMeanwhile(context, vmi, ending) : ending;
}
