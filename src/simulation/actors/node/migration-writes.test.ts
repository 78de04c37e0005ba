import { describe, expect, it } from 'vitest';
import { aVmi } from '../../../kubevirt/builders.ts';
import type { MigrationState, Vmi } from '../../../kubevirt/objects.ts';
import { parseInstant } from '../../../kubevirt/time.ts';
import {
  copyFailed,
  copyMode,
  copyStarted,
  domainReady,
  domainSeen,
  finalised,
  handedOver,
  targetPrepared,
  targetReleased,
} from './migration-writes.ts';

const NOW = parseInstant('2026-03-01T12:00:09.900Z') ?? 0;
const AT = '2026-03-01T12:00:09Z';
const moving = (state: MigrationState = {}) =>
  aVmi()
    .on('n1')
    .migrationState({ migrationUid: 'm', sourceNode: 'n1', targetNode: 'n2', ...state });
const stateOf = (vmi: Vmi | undefined) => vmi?.status?.migrationState;

const WRITES: readonly [
  string,
  (vmi: Vmi, uid: string) => Vmi | undefined,
  MigrationState,
  MigrationState,
][] = [
  [
    'targetPrepared',
    (vmi, uid) => targetPrepared(vmi, uid, '10.0.0.2'),
    { targetNodeAddress: '10.0.0.2', targetDirectMigrationNodePorts: { '38001': 49152 } },
    { targetNodeAddress: 'x' },
  ],
  [
    'copyStarted',
    (vmi, uid) => copyStarted(vmi, uid, NOW),
    { startTimestamp: AT, mode: 'PreCopy' },
    { startTimestamp: 'x' },
  ],
  ['copyMode', (vmi, uid) => copyMode(vmi, uid, 'PostCopy'), { mode: 'PostCopy' }, { mode: 'PostCopy' }],
  ['domainSeen', domainSeen, { targetNodeDomainDetected: true }, { targetNodeDomainDetected: true }],
  [
    'domainReady',
    (vmi, uid) => domainReady(vmi, uid, NOW),
    { targetNodeDomainReadyTimestamp: AT },
    { targetNodeDomainReadyTimestamp: 'x' },
  ],
  ['handedOver', (vmi, uid) => handedOver(vmi, uid, 'n2', NOW), { endTimestamp: AT }, { endTimestamp: 'x' }],
  ['finalised', finalised, { completed: true }, { completed: true }],
  [
    'copyFailed',
    (vmi, uid) => copyFailed(vmi, uid, 'why', NOW),
    { failed: true, completed: true, endTimestamp: AT, failureReason: 'why' },
    { completed: true },
  ],
];

describe.each(WRITES)('%s', (_, write, change, done) => {
  it('writes its fields, and keeps all others', () => {
    const vmi = moving({ targetPod: 'p' }).annotated('mine', 'x').build();
    const written = write(vmi, 'm');
    expect(stateOf(written)).toEqual({ ...stateOf(vmi), ...change });
    expect(written?.metadata.annotations).toEqual({ mine: 'x' });
    expect(written?.spec).toBe(vmi.spec);
  });

  it('writes nothing twice, nothing once the migration is over, and nothing into another one', () => {
    expect(write(moving(done).build(), 'm')).toBeUndefined();
    expect(write(moving({ completed: true }).build(), 'm')).toBeUndefined();
    expect(write(moving({ migrationUid: 'other' }).build(), 'm')).toBeUndefined();
    expect(write(aVmi().on('n1').build(), 'm')).toBeUndefined();
  });
});

describe('the hand-over', () => {
  it('moves the VMI in one write', () => {
    const vmi = moving()
      .marked('n1')
      .outdated()
      .launcher('old')
      .labelled('own', 'x')
      .annotated('kubevirt.io/eviction-source', 'd')
      .build();
    const { metadata, status } = handedOver(vmi, 'm', 'n2', NOW) ?? vmi;
    expect(metadata.labels).toEqual({ 'kubevirt.io/nodeName': 'n2', own: 'x' });
    expect(metadata.annotations).toEqual({});
    expect(status).toEqual({
      phase: 'Running',
      nodeName: 'n2',
      migrationTransport: 'Unix',
      migrationState: { ...stateOf(vmi), endTimestamp: AT },
    });
  });

  it.each([
    ['brings a plugged network', ['a', 'b'], ['a'], ['a', 'b']],
    ['takes an unplugged one away', ['a', '-b'], ['a', 'b'], ['a']],
    ['leaves those alone that go together', ['a'], ['a'], ['a']],
    ['knows nothing where the guest has reported none', ['a'], undefined, undefined],
    ['knows nothing where the spec names none', [], ['a'], ['a']],
  ])('%s', (_, wanted, reported, expected) => {
    const interfaces = wanted.map((name) =>
      name.startsWith('-') ? { name: name.slice(1), state: 'absent' } : { name, bridge: {} },
    );
    const vmi = moving()
      .spec({ domain: { devices: { interfaces } } })
      .status({ interfaces: reported?.map((name) => ({ name })) })
      .build();
    const names = handedOver(vmi, 'm', 'n2', NOW)?.status?.interfaces?.map(({ name }) => name);
    expect(names).toEqual(expected);
  });

  it('makes up no annotations', () => {
    expect(handedOver(moving().build(), 'm', 'n2', NOW)?.metadata).not.toHaveProperty('annotations');
  });
});

describe('the end', () => {
  it('takes conditions away only where they are', () => {
    const vmi = moving().condition('Ready', 'True').build();
    expect(domainReady(vmi, 'm', NOW)?.status?.conditions).toBe(vmi.status?.conditions);
    const waiting = moving().condition('Ready', 'True').condition('MigrationRequired', 'True').build();
    expect(domainReady(waiting, 'm', NOW)?.status?.conditions).toEqual([{ type: 'Ready', status: 'True' }]);
  });

  it('plugs in CPUs and memory that waited, and nothing else', () => {
    const domain = { cpu: { sockets: 4, cores: 2, threads: 1 }, memory: { guest: '2Gi' } };
    const state = {
      currentCPUTopology: { sockets: 1, cores: 2, threads: 1 },
      memory: { guestAtBoot: '1Gi', guestCurrent: '1Gi' },
    };
    const vmi = moving()
      .spec({ domain })
      .status({ ...moving().build().status, ...state });
    expect(finalised(vmi.build(), 'm')?.status).toMatchObject(state);
    const waiting = vmi
      .condition('HotVCPUChange', 'True')
      .condition('HotMemoryChange', 'True')
      .condition('VolumesChange', 'True')
      .build();
    expect(finalised(waiting, 'm')?.status).toMatchObject({
      currentCPUTopology: domain.cpu,
      memory: { guestAtBoot: '1Gi', guestCurrent: '2Gi', guestRequested: '2Gi' },
      conditions: [],
    });
  });

  it('leaves memory alone that could not be plugged in', () => {
    const vmi = moving().condition('HotMemoryChange', 'False').condition('HotVCPUChange', 'False').build();
    expect(finalised(vmi, 'm')?.status?.conditions).toHaveLength(2);
  });

  it('forgets the volumes that moved along', () => {
    const vmi = moving()
      .status({ ...moving().build().status, migratedVolumes: [{ volumeName: 'd' }] })
      .build();
    expect(finalised(vmi, 'm')?.status).not.toHaveProperty('migratedVolumes');
  });

  it('says that an abort succeeded', () => {
    const state = stateOf(copyFailed(moving().build(), 'm', 'Live migration has been aborted', NOW));
    expect(state?.abortStatus).toBe('Succeeded');
    expect(stateOf(copyFailed(moving().build(), 'm', 'other', NOW))).not.toHaveProperty('abortStatus');
  });

  it('loses the guest where it fails in post-copy', () => {
    expect(copyFailed(moving({ mode: 'PostCopy' }).build(), 'm', 'gone', NOW)?.status).toMatchObject({
      phase: 'Failed',
      migrationState: { failed: true, failureReason: 'gone' },
      phaseTransitionTimestamps: [{ phase: 'Failed', phaseTransitionTimestamp: AT }],
    });
    expect(copyFailed(moving({ mode: 'Paused' }).build(), 'm', 'gone', NOW)?.status?.phase).toBe('Running');
  });

  it('releases the target that is noted, once it is over', () => {
    const label = 'kubevirt.io/migrationTargetNodeName';
    const over = moving({ completed: true }).labelled(label, 'n2').build();
    expect(targetReleased(over, 'n2')?.metadata.labels).toEqual({ 'kubevirt.io/nodeName': 'n1' });
    expect(targetReleased(over, 'n3')).toBeUndefined();
    expect(targetReleased(moving().labelled(label, 'n2').build(), 'n2')).toBeUndefined();
    expect(targetReleased(moving({ completed: true }).build(), 'n2')).toBeUndefined();
  });
});
