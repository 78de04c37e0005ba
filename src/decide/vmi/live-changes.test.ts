import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import type { Condition, Vmi, VmiSpec } from '../../kubevirt/objects.ts';
import { parseInstant } from '../../kubevirt/time.ts';
import { withCondition, withOrWithout, withoutCondition } from './conditions.ts';
import { needsCpuHotplug, needsMemoryHotplug, withLiveChanges } from './live-changes.ts';
import { networkChange } from './network-change.ts';

const NOW = parseInstant('2026-03-01T12:00:00Z') ?? 0;

describe('a list of conditions', () => {
  const a = { type: 'A', status: 'True', lastTransitionTime: '2026-03-01T11:00:00Z' };
  const b = { type: 'B', status: 'False', reason: 'R', message: 'm' };
  const list = [a, b];

  it.each([
    ['a new one at the end', { type: 'C', status: 'True' }, [a, b, { type: 'C', status: 'True' }]],
    ['another status', { type: 'A', status: 'False' }, [{ type: 'A', status: 'False' }, b]],
    ['another reason', { ...b, reason: 'S' }, [a, { ...b, reason: 'S' }]],
    ['another message', { ...b, message: 'n' }, [a, { ...b, message: 'n' }]],
  ])('takes %s', (_, condition, expected) => {
    expect(withCondition(list, condition)).toEqual(expected);
  });

  it('stays where a condition says the same', () => {
    expect(withCondition(list, { ...a, lastTransitionTime: '2026-03-01T12:00:00Z' }, NOW)).toBe(list);
    expect(withCondition(list, { type: 'A', status: 'True', reason: '', message: '' })).toBe(list);
  });

  it('dates a change, unless it has a date', () => {
    const changed = { type: 'A', status: 'False' };
    expect(withCondition(list, changed, NOW)[0]?.lastTransitionTime).toBe('2026-03-01T12:00:00Z');
    const dated = { ...changed, lastTransitionTime: '2026-03-01T11:30:00Z' };
    expect(withCondition(list, dated, NOW)[0]).toEqual(dated);
  });

  it('loses a type', () => {
    expect(withoutCondition(list, 'A')).toEqual([b]);
    expect(withoutCondition(list, 'C')).toBe(list);
    expect(withOrWithout(list, 'A', undefined)).toEqual([b]);
    expect(withOrWithout(list, 'C', { type: 'C', status: 'True' }, NOW)).toHaveLength(3);
  });
});

const running = (domain: VmiSpec['domain'], status: NonNullable<Vmi['status']> = {}): Vmi =>
  aVmi().spec({ domain }).status(status).build();
const typesOf = (vmi: Vmi, held: readonly Condition[] = []) =>
  withLiveChanges(held, vmi, NOW).map(({ type, status }) => `${type}=${status}`);

describe('CPUs that are due', () => {
  const topology = { currentCPUTopology: { sockets: 1, cores: 2, threads: 1 } };
  it.each([
    ['another number of sockets', { sockets: 2, cores: 2, maxSockets: 4 }, topology, true],
    ['the same number of CPUs otherwise', { sockets: 2, cores: 1, maxSockets: 4 }, topology, false],
    ['no room for more', { sockets: 2, cores: 2 }, topology, false],
    ['a topology that is not known', { sockets: 2, cores: 2, maxSockets: 4 }, {}, false],
  ])('%s', (_, cpu, status, expected) => {
    const vmi = running({ cpu }, status);
    expect(needsCpuHotplug(vmi)).toBe(expected);
    expect(typesOf(vmi)).toEqual(expected ? ['HotVCPUChange=True'] : []);
  });
  it('none without CPUs', () => expect(needsCpuHotplug(running(undefined, topology))).toBe(false));
});

describe('memory that is due', () => {
  const memory = { guestRequested: '1Gi' };
  it.each([
    ['another amount', { guest: '2Gi', maxGuest: '4Gi' }, { memory }, true],
    ['the same amount', { guest: '1024Mi', maxGuest: '4Gi' }, { memory }, false],
    ['no room for more', { guest: '2Gi' }, { memory }, false],
    ['no amount', { maxGuest: '4Gi' }, { memory }, false],
    ['nothing reported', { guest: '2Gi', maxGuest: '4Gi' }, {}, false],
  ])('%s', (_, wanted, status, expected) => {
    const vmi = running({ memory: wanted }, status);
    expect(needsMemoryHotplug(vmi)).toBe(expected);
    expect(typesOf(vmi)).toEqual(expected ? ['HotMemoryChange=True'] : []);
  });
});

describe('what is due', () => {
  const moving = running(undefined, { migratedVolumes: [{ volumeName: 'a' }] });

  it('includes volumes that are to be moved, in the words of KubeVirt', () => {
    expect(withLiveChanges([], moving, NOW)).toEqual([
      { type: 'VolumesChange', status: 'True', message: 'migrate volumes' },
    ]);
  });

  it('leaves what is noted already, be it False', () => {
    const held = [{ type: 'VolumesChange', status: 'False', reason: 'Cancelled' }];
    expect(withLiveChanges(held, moving, NOW)).toBe(held);
    expect(withLiveChanges(held, aVmi().build(), NOW)).toBe(held);
  });
});

describe('a change of networks', () => {
  const interfaces = [{ name: 'default', ipAddress: '10.0.0.1' }];
  const withNetwork = (nic: object, reported: object[] = interfaces): Vmi =>
    aVmi()
      .spec({
        networks: [
          { name: 'default', pod: {} },
          { name: 'blue', multus: {} },
        ],
        domain: {
          devices: {
            interfaces: [
              { name: 'default', masquerade: {} },
              { name: 'blue', ...nic },
            ],
          },
        },
      })
      .status({ interfaces: reported })
      .build();
  const both = [...interfaces, { name: 'blue' }];

  it.each([
    ['a plugged one', withNetwork({ bridge: {} }), 'Patient'],
    ['a plugged SR-IOV one', withNetwork({ sriov: {} }), 'Urgent'],
    ['an unplugged one', withNetwork({ bridge: {}, state: 'absent' }, both), 'Patient'],
    ['an unplugged SR-IOV one', withNetwork({ sriov: {}, state: 'absent' }, both), 'Patient'],
    ['one that is there', withNetwork({ bridge: {} }, both), 'None'],
    ['one that is gone', withNetwork({ bridge: {}, state: 'absent' }), 'None'],
    ['none that was reported', { ...withNetwork({ sriov: {} }), status: {} }, 'None'],
    ['the pod network', withNetwork({ bridge: {} }, [{ name: 'blue' }]), 'None'],
    ['no networks', aVmi().status({ interfaces }).build(), 'None'],
  ])('%s', (_, vmi, expected) => {
    expect(networkChange(vmi)).toBe(expected);
  });

  const pending = (lastTransitionTime?: string) => [
    { type: 'MigrationRequired', status: 'False', reason: 'AutoMigrationPending', lastTransitionTime },
  ];
  const due = { type: 'MigrationRequired', status: 'True', reason: 'AutoMigrationDueToLiveUpdate' };
  const plugged = withNetwork({ bridge: {} });

  it('asks for a migration at once, or after a while', () => {
    expect(withLiveChanges([], withNetwork({ sriov: {} }), NOW)).toEqual([
      { ...due, lastTransitionTime: '2026-03-01T12:00:00Z' },
    ]);
    expect(withLiveChanges([], plugged, NOW)).toEqual(pending('2026-03-01T12:00:00Z'));
    const recent = pending('2026-03-01T11:59:45Z');
    expect(withLiveChanges(recent, plugged, NOW)).toBe(recent);
    expect(withLiveChanges(pending('2026-03-01T11:59:44Z'), plugged, NOW)).toMatchObject([due]);
    const undated = pending();
    expect(withLiveChanges(undated, plugged, NOW)).toBe(undated);
  });

  it('asks no more when nothing is left of it, and not while the VMI moves', () => {
    const still = withNetwork({ bridge: {} }, both);
    expect(withLiveChanges([due], still, NOW)).toEqual([]);
    const kept = [due];
    expect(withLiveChanges(kept, plugged, NOW)).toBe(kept);
    const moving = {
      ...still,
      status: { ...still.status, migrationState: { startTimestamp: '2026-03-01T11:59:00Z' } },
    };
    expect(withLiveChanges(kept, moving, NOW)).toBe(kept);
  });
});
