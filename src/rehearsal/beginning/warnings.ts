/** What a scenario is warned of: it can be played, and may not be what its author meant. */
import { strangeRelease } from '../../decide/versions.ts';
import type { KubeVirt, ObjectMeta, VirtualMachine } from '../../kubevirt/objects.ts';
import { formatDuration } from '../../kubevirt/time.ts';
import { namespaceOf } from '../../scenario/cluster.ts';
import type { Scenario } from '../../scenario/schema.ts';
import { picks } from '../../simulation/guests/behavior-file.ts';
import { unreadFields } from './check-patches.ts';
import type { Beginning } from './prepare.ts';

/** What is written and does nothing: questions, guests that there are none of, actions after the end, and fields that nobody reads here. */
export function idleWords(
  { asks, guests, timeline, cluster, settings }: Scenario,
  { objects }: Beginning,
): string[] {
  const created = timeline.flatMap(({ create = [] }) => create);
  const vms = [...objects, ...created].flatMap((object) => guestOf(object, namespaceOf(cluster)));
  return [
    ...(asks.length > 0 ? ['asks: are not asked here; only what the timeline says is played'] : []),
    ...guests.flatMap(({ selector }, i) =>
      vms.some((metadata) => picks(selector, { metadata }))
        ? []
        : [`guests[${i}]: no VM is picked by ${JSON.stringify(selector)}`],
    ),
    ...timeline.flatMap(({ at }, i) =>
      settings.until === undefined || at <= settings.until
        ? []
        : [
            `timeline[${i}]: is never done, since the run ends ${formatDuration(settings.until)} after the beginning (settings.until)`,
          ],
    ),
    ...timeline.flatMap((entry, i) =>
      unreadFields(entry).map((field) => `timeline[${i}]: ${field} does nothing here`),
    ),
  ];
}

/** What there is to say of the version of KubeVirt that is played. */
export function strangeVersion({ objects }: Pick<Beginning, 'objects'>): string[] {
  const kubevirts = (objects as readonly { readonly kind: string }[]).filter(
    ({ kind }) => kind === 'KubeVirt',
  ) as KubeVirt[];
  return kubevirts.flatMap(({ status }) => strangeRelease(status?.observedKubeVirtVersion ?? '') ?? []);
}

/** How the guest of a VM or VMI is called and labelled. */
function guestOf(object: object, namespace: string): ObjectMeta[] {
  const { kind, metadata, spec } = object as Partial<Pick<VirtualMachine, 'kind' | 'metadata' | 'spec'>>;
  if (metadata === undefined) return [];
  if (kind === 'VirtualMachineInstance') return [{ namespace, ...metadata }];
  return kind === 'VirtualMachine'
    ? [{ namespace, ...metadata, labels: spec?.template?.metadata?.labels }]
    : [];
}
