import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../../kubevirt/builders.ts';
import type { Pod, Vmi } from '../../../kubevirt/objects.ts';
import { parseInstant } from '../../../kubevirt/time.ts';
import { syncedLauncher } from './launcher-writes.ts';
import type { VmiNews } from './vmi-news.ts';
import { syncedVmi } from './vmi-status.ts';

const AT = '2026-03-01T12:00:00Z';
const NOW = parseInstant(AT) ?? 0;
const FINALIZERS = [
  'kubevirt.io/virtualMachineControllerFinalize',
  'kubevirt.io/foregroundDeleteVirtualMachine',
];

const aLauncher = (vmi: Vmi, name = 'p') =>
  aPod(name)
    .launcherOf(vmi)
    .on('n1')
    .spec({
      containers: [
        { name: 'hook', image: 'hook' },
        { name: 'compute', image: 'v1' },
      ],
    });

function seen(vmi: Vmi, pod: Pod | undefined, change: Partial<VmiNews> = {}): Vmi {
  return syncedVmi(vmi, {
    now: NOW,
    pod,
    pods: pod ? [pod] : [],
    attachments: [],
    launcherImage: 'v1',
    failure: undefined,
    hasOwner: true,
    claim: () => undefined,
    ...change,
  });
}

describe('a VMI beside its pod', () => {
  const waiting = aVmi('db').phase('Pending').build();

  it('tells once that its pod is refused, so that it is not tried again at once for ever', () => {
    const refused = (pod: string) => ({ reason: 'FailedCreate', message: `pods "${pod}" is forbidden` });
    const first = seen(waiting, undefined, { failure: refused('p-1') });
    expect(first.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Synchronized', status: 'False', message: 'pods "p-1" is forbidden' }),
    );
    expect(seen(first, undefined, { failure: refused('p-2') })).toBe(first);
  });

  it('is noted as being scheduled, with the pod and its image', () => {
    const vmi = seen(waiting, aLauncher(waiting).phase('Pending').spec({ nodeName: undefined }).build());
    expect(vmi.status).toEqual({
      phase: 'Scheduling',
      phaseTransitionTimestamps: [{ phase: 'Scheduling', phaseTransitionTimestamp: AT }],
      activePods: { 'uid-p': '' },
      launcherContainerImageVersion: 'v1',
      memory: { memoryOverhead: '268Mi' },
      conditions: [
        {
          type: 'Ready',
          status: 'False',
          reason: 'GuestNotRunning',
          message: 'Guest VM is not reported as running',
          lastTransitionTime: AT,
        },
      ],
    });
  });

  it('is handed over with its node when the pod is ready', () => {
    const scheduling = aVmi('db').phase('Scheduling').build();
    const pod = aLauncher(scheduling).annotated('kubevirt.io/migrationTransportUnix', 'true').ready().build();
    const vmi = seen(scheduling, pod);
    expect(vmi.metadata.labels).toEqual({ 'kubevirt.io/nodeName': 'n1' });
    expect(vmi.status).toMatchObject({ phase: 'Scheduled', nodeName: 'n1', migrationTransport: 'Unix' });
    const old = seen(scheduling, aLauncher(scheduling).ready().build());
    expect(old.status).not.toHaveProperty('migrationTransport');
  });

  it('that lost its pod after it was handed over fails without a note of the time', () => {
    const vmi = seen(aVmi('db').on('n1').build(), undefined);
    expect(vmi.status?.phase).toBe('Failed');
    expect(vmi.status).not.toHaveProperty('phaseTransitionTimestamps');
  });

  it.each<[string, string, boolean]>([
    ['of today', 'v1', false],
    ['of yesterday', 'v2', true],
  ])('has a launcher %s', (_, launcherImage, isOutdated) => {
    const vmi = aVmi('db').on('n1').build();
    const synced = seen(vmi, aLauncher(vmi).ready().build(), { launcherImage });
    expect('kubevirt.io/outdatedLauncherImage' in (synced.metadata.labels ?? {})).toBe(isOutdated);
    const again = seen(synced, aLauncher(vmi).ready().build(), { launcherImage: 'v1' });
    expect(again.metadata.labels).toEqual({ 'kubevirt.io/nodeName': 'n1' });
  });

  it('keeps its mark while it has no pod, or a pod that has no image', () => {
    const vmi = aVmi('db').on('n1').outdated().launcher('v0').build();
    expect(seen(vmi, undefined).metadata.labels).toHaveProperty(['kubevirt.io/outdatedLauncherImage']);
    expect(seen(vmi, undefined).status?.launcherContainerImageVersion).toBe('v0');
    const bare = aPod().on('n1').ready().build();
    expect(seen(vmi, bare).metadata.labels).not.toHaveProperty(['kubevirt.io/outdatedLauncherImage']);
  });

  it('is the same VMI where nothing changes', () => {
    const vmi = aVmi('db').on('n1').build();
    const pod = aLauncher(vmi).ready().build();
    const synced = seen(vmi, pod);
    expect(synced).not.toBe(vmi);
    expect(seen(synced, pod)).toBe(synced);
  });

  it('notes all its pods', () => {
    const vmi = aVmi('db').on('n1').build();
    const [one, two] = [aLauncher(vmi, 'b').build(), aLauncher(vmi, 'a').on('n2').build()];
    expect(seen(vmi, one, { pods: [one, two] }).status?.activePods).toEqual({
      'uid-b': 'n1',
      'uid-a': 'n2',
    });
    const both = seen(vmi, one, { pods: [one, two] });
    expect(seen(both, one).status?.activePods).toEqual({ 'uid-b': 'n1' });
  });
});

describe('the target of a migration', () => {
  const vmi = aVmi('db').on('n1').build();
  const source = aLauncher(vmi, 'b').build();
  const target = aLauncher(vmi, 'a').spec({ nodeName: undefined });
  const noted = (pod: Pod) => seen(vmi, source, { pods: [source, pod] }).status?.activePods;

  it('is not noted before it has a node', () => {
    expect(noted(target.build())).toEqual({ 'uid-b': 'n1' });
  });

  it('is noted when it is known to get none', () => {
    const pending = { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] };
    expect(noted(target.status(pending).build())).toEqual({ 'uid-b': 'n1', 'uid-a': '' });
  });
});

describe('a VMI that has ended', () => {
  const ended = aVmi('db')
    .on('n1')
    .phase('Succeeded')
    .outdated()
    .launcher('v0')
    .meta({ finalizers: FINALIZERS });

  it('is kept while it has pods', () => {
    const vmi = ended.build();
    const pod = aLauncher(vmi).phase('Succeeded').build();
    expect(seen(vmi, pod).metadata.finalizers).toBe(vmi.metadata.finalizers);
  });

  it('is let go of when they are gone, and forgets its launcher', () => {
    const vmi = seen(ended.status({ activePods: { 'uid-p': 'n1' } }).build(), undefined);
    expect(vmi.metadata.finalizers).toEqual([FINALIZERS[0]]);
    expect(vmi.metadata.labels).toEqual({ 'kubevirt.io/nodeName': 'n1' });
    expect(vmi.status).not.toHaveProperty('launcherContainerImageVersion');
    expect(vmi.status).not.toHaveProperty('activePods');
    expect(vmi.status?.phase).toBe('Succeeded');
  });

  it('lets go of one that an older release made too, so that its VM starts again', () => {
    const old = aVmi()
      .phase('Succeeded')
      .meta({ finalizers: ['foregroundDeleteVirtualMachine'] });
    expect(seen(old.build(), undefined).metadata).not.toHaveProperty('finalizers.0');
  });

  it('is let go of on behalf of a VM that is gone', () => {
    const vmi = ended.build();
    expect(seen(vmi, undefined, { hasOwner: false }).metadata).not.toHaveProperty('finalizers.0');
    const pod = aLauncher(vmi).build();
    expect(seen(vmi, pod, { hasOwner: false }).metadata.finalizers).toEqual([FINALIZERS[1]]);
  });
});

describe('the conditions of a VMI', () => {
  const typesOf = (vmi: Vmi) => vmi.status?.conditions?.map(({ type, status }) => `${type}=${status}`);

  it('tell of an eviction as long as it is marked', () => {
    const vmi = aVmi('db').on('n1').marked().build();
    const pod = aLauncher(vmi).ready().build();
    const marked = seen(vmi, pod);
    expect(marked.status?.conditions).toContainEqual({
      type: 'EvictionRequested',
      status: 'True',
      reason: 'EvictionRequested',
      message: 'VMI is marked for eviction',
      lastTransitionTime: AT,
    });
    const cleared = { ...marked, status: { ...marked.status, evacuationNodeName: '' } };
    expect(typesOf(seen(cleared, pod))).toEqual(['Ready=True']);
  });

  it('tell of a pod that has no place, until the VMI is handed over', () => {
    const vmi = aVmi('db').phase('Scheduling').build();
    const pod = aLauncher(vmi).phase('Pending').condition('PodScheduled', 'False', 'Unschedulable').build();
    const stuck = seen(vmi, pod);
    expect(typesOf(stuck)).toEqual(['Ready=False', 'PodScheduled=False']);
    expect(typesOf(seen(stuck, aLauncher(vmi).phase('Pending').build()))).toEqual(['Ready=False']);
    expect(typesOf(seen(aVmi('db').phase('Pending').build(), pod))).toEqual(['Ready=False']);
  });

  it('tell what went wrong before that, as long as it does', () => {
    const failure = { reason: 'FailedCreate', message: 'no' };
    const vmi = seen(aVmi('db').phase('Pending').build(), undefined, { failure });
    expect(vmi.status?.conditions?.[1]).toEqual({
      type: 'Synchronized',
      status: 'False',
      ...failure,
      lastTransitionTime: AT,
    });
    expect(typesOf(seen(vmi, undefined))).toEqual(['Ready=False']);
    const running = aVmi('db').on('n1').build();
    expect(typesOf(seen(running, aLauncher(running).ready().build(), { failure }))).toEqual(['Ready=True']);
  });

  it('tell of what a running VMI has still to take over', () => {
    const vmi = aVmi('db')
      .on('n1')
      .status({ migratedVolumes: [{ volumeName: 'a' }] })
      .build();
    expect(typesOf(seen(vmi, aLauncher(vmi).ready().build()))).toEqual(['Ready=True', 'VolumesChange=True']);
    const scheduled = { ...vmi, status: { ...vmi.status, phase: 'Scheduled' } };
    expect(typesOf(seen(scheduled, aLauncher(vmi).ready().build()))).toEqual(['Ready=False']);
  });
});

describe('what a launcher shows of its VMI', () => {
  const EVICTION = 'descheduler.alpha.kubernetes.io/eviction-in-progress';
  const WISH = 'descheduler.alpha.kubernetes.io/prefer-no-eviction';
  const vmi = aVmi('db').on('n1').outdated().annotated(WISH, 'true').annotated('other', 'x').marked();

  it('is its node, an old image, its wishes, and an eviction', () => {
    const pod = aPod('p').labelled('kubevirt.io', 'virt-launcher').annotated('own', 'y').ready().build();
    const shown = syncedLauncher(pod, vmi.build());
    expect(shown.metadata.labels).toEqual({
      'kubevirt.io': 'virt-launcher',
      'kubevirt.io/nodeName': 'n1',
      'kubevirt.io/outdatedLauncherImage': '',
    });
    expect(shown.metadata.annotations).toEqual({ own: 'y', [WISH]: 'true', [EVICTION]: 'true' });
    expect(syncedLauncher(shown, vmi.build())).toBe(shown);
  });

  it('goes with what the VMI has no more', () => {
    const pod = aPod('p')
      .labelled('kubevirt.io/outdatedLauncherImage', '')
      .annotated(WISH)
      .annotated(EVICTION, 'true')
      .ready()
      .build();
    const shown = syncedLauncher(pod, aVmi('db').build());
    expect(shown.metadata.labels).toEqual({});
    expect(shown.metadata.annotations).toEqual({});
  });

  it('is no eviction while it is not ready', () => {
    expect(syncedLauncher(aPod('p').build(), aVmi('db').marked('n1').build()).metadata).not.toHaveProperty(
      'annotations',
    );
    const plain = aPod('p').ready().build();
    expect(syncedLauncher(plain, aVmi('db').build())).toBe(plain);
  });
});
