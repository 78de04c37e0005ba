import { describe, expect, it } from 'vitest';
import { Fleet } from '../../fleet/fleet.ts';
import { aVmi } from '../../kubevirt/builders.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { scenarioSchema } from '../../scenario/schema.ts';
import { runScenario } from '../run.ts';
import { beginningOfScenario, beginningOfSnapshot, completedFleet, imageOfSnapshot } from './prepare.ts';

/** VMIs by the image of their launcher; `!` before it marks one that virt-controller has found to be outdated. */
function running(...images: string[]): Fleet {
  const fleet = new Fleet();
  images.forEach((told, i) => {
    const vmi = aVmi(`vm-${i}`).on('n1').build();
    const image = told.replace('!', '');
    fleet.apply('VirtualMachineInstance', {
      ...vmi,
      metadata: {
        ...vmi.metadata,
        labels: told.startsWith('!') ? { 'kubevirt.io/outdatedLauncherImage': '' } : {},
      },
      status: { ...vmi.status, launcherContainerImageVersion: image },
    });
  });
  return fleet;
}

describe('what launchers of a snapshot are started from', () => {
  it.each([
    [['v1', 'v1', 'v2'], 'v1'],
    [['v2', 'v1'], 'v1'],
    [['!v1', '!v1', 'v2'], 'v2'],
    [['!v1'], undefined],
    [[], undefined],
  ])('%j: %s', (images, image) => {
    expect(imageOfSnapshot(running(...images))).toBe(image);
  });

  it('stands in the Deployment of virt-controller where a dump has that', () => {
    const fleet = running('v1');
    fleet.apply('Deployment', {
      metadata: { name: 'virt-controller', namespace: 'kubevirt' },
      spec: { template: { spec: { containers: [{ name: 'c', args: ['--launcher-image', 'v3'] }] } } },
    });
    expect(imageOfSnapshot(fleet)).toBe('v3');
  });

  it('is what the scenario says, else what the dump says', () => {
    const of = (settings: object) =>
      beginningOfSnapshot({ fleet: running('v1'), launcherImage: 'v4' }, { settings } as never).launcherImage;
    expect([of({ launcherImage: 'v5' }), of({})]).toEqual(['v5', 'v4']);
  });
});

it('a snapshot lacks nothing that its VMs need to move', () => {
  const whole = completedFleet(running('v1'));
  expect(
    whole.get('VirtualMachineInstance', [...whole.all('VirtualMachineInstance')].map(keyOf)[0] ?? ''),
  ).toMatchObject({
    status: { selinuxContext: 'none' },
  });
});

describe('the cluster of a scenario', () => {
  it('is at rest: nobody writes to a VM or its pods before something is done', async () => {
    const scenario = scenarioSchema.parse({
      title: 'VMs of all kinds',
      cluster: {
        kubevirt: { methods: ['LiveMigrate', 'Evict'] },
        nodes: ['n1', 'n2'],
        vms: [
          { name: 'runs', node: 'n1', migratable: true },
          { name: 'stays', node: 'n2', migratable: 'DisksNotLiveMigratable', runStrategy: 'RerunOnFailure' },
          { name: 'alone', node: 'n1', standalone: true, migratable: true },
          { name: 'plugged', node: 'n2', hotplugged: true, migratable: true },
          { name: 'off', phase: 'Stopped', runStrategy: 'Halted' },
        ],
      },
      settings: { until: '1m' },
      timeline: [],
    });
    const changes: string[] = [];
    await runScenario(scenario, beginningOfScenario(scenario), {
      seed: 1,
      onStart: ({ simulated }) =>
        void simulated.cluster.subscribe(({ kind, key }) => {
          // The count of outdated VMIs is written once.
          if (kind !== 'KubeVirt') changes.push(`${kind} ${key}`);
        }),
    });
    expect(changes).toEqual([]);
  });
});
