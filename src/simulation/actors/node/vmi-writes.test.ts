import { describe, expect, it } from 'vitest';
import { aVmi } from '../../../kubevirt/builders.ts';
import type { Vmi } from '../../../kubevirt/objects.ts';
import { parseInstant } from '../../../kubevirt/time.ts';
import { type Booted, ended, running, withMigratabilityOf } from './vmi-writes.ts';

const NOW = parseInstant('2026-03-01T12:00:09.900Z') ?? 0;
const BOOTED: Booted = {
  node: 'n1',
  now: NOW,
  podIp: '10.0.0.7',
  taught: undefined,
  hostCpuModel: 'Skylake',
  configuration: undefined,
};
const scheduled = () => aVmi().on('n1').phase('Scheduled');
const conditionsOf = (vmi: Vmi | undefined) =>
  vmi?.status?.conditions?.map(({ type, status, reason }) => [type, status, reason]);

describe('a guest that has come up', () => {
  it('is only one of a Scheduled VMI on the node', () => {
    expect(running(aVmi().on('n1').phase('Running').build(), BOOTED)).toBeUndefined();
    expect(running(scheduled().on('n2').build(), BOOTED)).toBeUndefined();
    expect(running(scheduled().build(), BOOTED)?.status?.phase).toBe('Running');
  });

  it('has the addresses of its interfaces, SELinux context and phase told', () => {
    const interfaces = [
      { name: 'default', masquerade: {} },
      { name: 'blue', bridge: {} },
    ];
    const vmi = scheduled()
      .spec({ domain: { devices: { interfaces } } })
      .build();
    expect(running(vmi, BOOTED)?.status).toMatchObject({
      interfaces: [
        {
          name: 'default',
          infoSource: 'domain',
          mac: '02:00:00:00:00:01',
          podInterfaceName: 'eth0',
          queueCount: 1,
          ipAddress: '10.0.0.7',
        },
        {
          name: 'blue',
          infoSource: 'domain',
          mac: '02:00:00:00:00:02',
          podInterfaceName: 'net1',
          queueCount: 1,
        },
      ],
      selinuxContext: 'none',
      guestOSInfo: {},
      phaseTransitionTimestamps: [{ phase: 'Running', phaseTransitionTimestamp: '2026-03-01T12:00:09Z' }],
    });
    const labelled = scheduled()
      .status({ phase: 'Scheduled', nodeName: 'n1', selinuxContext: 's0:c1' })
      .build();
    expect(running(labelled, BOOTED)?.status?.selinuxContext).toBe('s0:c1');
  });

  it('is migratable as worked out of it', () => {
    const vmi = scheduled()
      .spec({ volumes: [{ name: 'd', hostDisk: {} }] })
      .condition('Ready', 'False')
      .build();
    expect(conditionsOf(running(vmi, BOOTED))).toEqual([
      ['Ready', 'False', undefined],
      ['LiveMigratable', 'False', 'DisksNotLiveMigratable'],
      ['StorageLiveMigratable', 'True', undefined],
    ]);
    expect(running(vmi, BOOTED)?.status?.migrationMethod).toBe('BlockMigration');
    expect(running(scheduled().build(), BOOTED)?.status?.migrationMethod).toBe('LiveMigration');
  });

  it('is migratable as its behaviour has it', () => {
    const taught = { reason: 'HostDeviceNotLiveMigratable', message: 'told' };
    const vmi = scheduled().condition('LiveMigratable', 'True').condition('Ready', 'False').build();
    const told = running(vmi, { ...BOOTED, taught });
    expect(told?.status?.conditions).toEqual([
      { type: 'Ready', status: 'False' },
      { type: 'LiveMigratable', status: 'False', ...taught },
      { type: 'StorageLiveMigratable', status: 'True' },
    ]);
    const fine = withMigratabilityOf(scheduled().build(), BOOTED, {});
    expect(fine.status?.conditions?.[0]).toEqual({ type: 'LiveMigratable', status: 'True' });
  });

  it('has an agent where it has one, once', () => {
    const vmi = scheduled().condition('AgentConnected', 'False').build();
    const types = conditionsOf(running(vmi, { ...BOOTED, guestAgent: true }));
    expect(types?.filter(([type]) => type === 'AgentConnected')).toEqual([
      ['AgentConnected', 'True', undefined],
    ]);
    expect(conditionsOf(running(vmi, BOOTED))).toContainEqual(['AgentConnected', 'False', undefined]);
  });

  it('keeps what is not its own', () => {
    const vmi = scheduled()
      .annotated('mine', 'x')
      .status({ phase: 'Scheduled', nodeName: 'n1', activePods: { p: 'n1' } })
      .build();
    const told = running(vmi, BOOTED);
    expect(told?.metadata).toEqual(vmi.metadata);
    expect(told?.status?.activePods).toEqual({ p: 'n1' });
  });
});

describe('a guest that has ended', () => {
  it('takes its VMI into a phase for ever', () => {
    const vmi = aVmi().on('n1').build();
    expect(ended(vmi, 'n1', 'Failed', NOW)?.status).toMatchObject({
      phase: 'Failed',
      phaseTransitionTimestamps: [{ phase: 'Failed', phaseTransitionTimestamp: '2026-03-01T12:00:09Z' }],
    });
    expect(ended(aVmi().on('n1').phase('Succeeded').build(), 'n1', 'Failed', NOW)).toBeUndefined();
  });

  it('is nothing to write where it moved away, or lives', () => {
    expect(ended(aVmi().on('n2').build(), 'n1', 'Failed', NOW)).toBeUndefined();
    expect(ended(aVmi().on('n1').build(), 'n1', 'Running', NOW)).toBeUndefined();
  });
});
