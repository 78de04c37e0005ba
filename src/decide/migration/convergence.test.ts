import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import type { VmiSpec } from '../../kubevirt/objects.ts';
import { decide, traceOf } from '../rules.ts';
import { migrationConfiguration } from './configuration.ts';
import {
  ABORTED,
  completionTimeoutSeconds,
  copySizeGB,
  hasPassthroughDevice,
  POLL_MILLISECONDS,
  type PollInput,
  pollTable,
} from './convergence.ts';

const withMemory = (guest: string | number | undefined, memory?: string) =>
  aVmi().spec({
    domain: { memory: { guest }, resources: { requests: memory === undefined ? {} : { memory } } },
  });

describe('what there is to copy, in decimal gigabytes rounded up', () => {
  it.each([
    ['1 GiB', withMemory('1Gi'), 2],
    ['1 GB', withMemory('1G'), 1],
    ['a byte more', withMemory(1_000_000_001), 2],
    ['64 GiB', withMemory('64Gi'), 69],
    ['the request where the guest says nothing', withMemory(undefined, '3Gi'), 4],
    ['the guest before the request', withMemory('1G', '3Gi'), 1],
    ['no memory known', aVmi(), undefined],
    ['no memory known in a domain', withMemory(undefined), undefined],
  ])('%s', (_, vmi, size) => {
    expect(copySizeGB(vmi.build(), 0)).toBe(size);
  });

  it('with block migration, the ephemeral disks too', () => {
    const block = withMemory('1G').status({ migrationMethod: 'BlockMigration' });
    expect(copySizeGB(block.build(), 5e9)).toBe(6);
    expect(copySizeGB(withMemory('1G').status({ migrationMethod: 'LiveMigration' }).build(), 5e9)).toBe(1);
  });

  it('the volumes that move along too, by what the VMI knows of them', () => {
    const known = { name: 'a', persistentVolumeClaimInfo: { claimName: 'a', capacity: { storage: '10G' } } };
    const other = { name: 'b', persistentVolumeClaimInfo: { claimName: 'b', capacity: { storage: '99G' } } };
    const moving = [
      { volumeName: 'a', sourcePVCInfo: { claimName: 'a', capacity: { storage: '1G' } } },
      { volumeName: 'c', sourcePVCInfo: { claimName: 'c', capacity: { storage: '20G' } } },
      { volumeName: 'd', sourcePVCInfo: { claimName: 'd' } },
      { volumeName: 'e' },
    ];
    const vmi = withMemory('1G').status({
      volumeStatus: [known, other, { name: 'plain' }],
      migratedVolumes: moving,
    });
    expect(copySizeGB(vmi.build(), 0)).toBe(31);
  });
});

describe('the time that a copy may take', () => {
  it('is so much a gigabyte', () => {
    expect(completionTimeoutSeconds(migrationConfiguration(undefined), 2)).toBe(300);
    expect(completionTimeoutSeconds({ completionTimeoutPerGiB: 0 }, 2)).toBe(0);
    expect(completionTimeoutSeconds({}, 2)).toBe(0);
    expect(POLL_MILLISECONDS).toBe(400);
  });
});

describe('devices of the host', () => {
  const devices = (given: NonNullable<VmiSpec['domain']>['devices']) =>
    hasPassthroughDevice(
      aVmi()
        .spec({ domain: { devices: given } })
        .build(),
    );

  it.each([
    ['none', {}, false],
    ['empty lists', { gpus: [], hostDevices: [], interfaces: [] }, false],
    ['a GPU', { gpus: [{ name: 'g' }] }, true],
    ['a host device', { hostDevices: [{ name: 'h' }] }, true],
    [
      'an SR-IOV interface',
      {
        interfaces: [
          { name: 'a', masquerade: {} },
          { name: 'b', sriov: {} },
        ],
      },
      true,
    ],
    ['another interface', { interfaces: [{ name: 'a', bridge: {} }] }, false],
  ])('%s: %s', (_, given, expected) => {
    expect(devices(given)).toBe(expected);
  });

  it('a VMI without a domain has none', () => {
    expect(hasPassthroughDevice(aVmi().build())).toBe(false);
  });
});

const strict = migrationConfiguration(undefined);
const disrupting = migrationConfiguration({ allowWorkloadDisruption: true });
const postCopy = migrationConfiguration({ allowPostCopy: true });
const ask = (change: Partial<PollInput> = {}): PollInput => ({
  mode: 'PreCopy',
  elapsedSeconds: 301,
  timeoutSeconds: 300,
  stalledSeconds: 0,
  configuration: strict,
  hasPassthroughDevice: false,
  ...change,
});
const cancel = { action: 'Cancel', failureReason: ABORTED };
const proceed = { action: 'Continue' };

describe('a poll of the copy', () => {
  it.each([
    ['in time', ask({ elapsedSeconds: 300 }), 'Copying', proceed],
    ['too long', ask(), 'Overdue', cancel],
    ['too long, where no time is set', ask({ timeoutSeconds: 0 }), 'Copying', proceed],
    [
      'disruption allowed, where no time is set',
      ask({ timeoutSeconds: 0, configuration: disrupting }),
      'Copying',
      proceed,
    ],
    ['stalled for the time given', ask({ elapsedSeconds: 200, stalledSeconds: 150 }), 'Copying', proceed],
    ['stalled for longer', ask({ elapsedSeconds: 200, stalledSeconds: 151 }), 'Stalled', cancel],
    [
      'stalled, where that is not looked at',
      ask({ elapsedSeconds: 200, stalledSeconds: 999, configuration: { progressTimeout: 0 } }),
      'Copying',
      proceed,
    ],
    [
      'stalled, where nothing is set',
      ask({ elapsedSeconds: 200, stalledSeconds: 999, configuration: {} }),
      'Copying',
      proceed,
    ],
    ['post-copy already', ask({ mode: 'PostCopy', stalledSeconds: 999 }), 'PostCopy', proceed],
    [
      'too long, post-copy allowed',
      ask({ configuration: postCopy }),
      'SwitchToPostCopy',
      { action: 'StartPostCopy' },
    ],
    ['in time, post-copy allowed', ask({ configuration: postCopy, elapsedSeconds: 300 }), 'Copying', proceed],
    [
      'too long, post-copy allowed without disruption',
      ask({ configuration: { ...postCopy, allowWorkloadDisruption: false } }),
      'Overdue',
      cancel,
    ],
    [
      'too long, disruption allowed',
      ask({ configuration: disrupting }),
      'GuestSuspended',
      { action: 'Suspend', timeoutSeconds: 600 },
    ],
    [
      'too long and stalled, disruption allowed',
      ask({ configuration: disrupting, stalledSeconds: 999 }),
      'GuestSuspended',
      { action: 'Suspend', timeoutSeconds: 600 },
    ],
    [
      'too long, with a device of the host',
      ask({ configuration: disrupting, hasPassthroughDevice: true }),
      'LongerDowntime',
      { action: 'RaiseDowntime', maxDowntimeMs: 600_000, timeoutSeconds: 600 },
    ],
    [
      'too long, post-copy allowed, with a device of the host',
      ask({ configuration: postCopy, hasPassthroughDevice: true }),
      'LongerDowntime',
      { action: 'RaiseDowntime', maxDowntimeMs: 600_000, timeoutSeconds: 600 },
    ],
    [
      'much too long, with a device of the host',
      ask({
        configuration: disrupting,
        hasPassthroughDevice: true,
        elapsedSeconds: 1500,
        timeoutSeconds: 1200,
      }),
      'LongerDowntime',
      { action: 'RaiseDowntime', maxDowntimeMs: 2_000_000, timeoutSeconds: 2400 },
    ],
    [
      'paused, in its second time',
      ask({ configuration: disrupting, mode: 'Paused', timeoutSeconds: 600 }),
      'Copying',
      proceed,
    ],
    [
      'paused, its second time is up',
      ask({ configuration: disrupting, mode: 'Paused', elapsedSeconds: 601, timeoutSeconds: 600 }),
      'Overdue',
      cancel,
    ],
    [
      'paused and stalled',
      ask({ configuration: disrupting, mode: 'Paused', stalledSeconds: 151 }),
      'Stalled',
      cancel,
    ],
    ['paused with post-copy allowed', ask({ configuration: postCopy, mode: 'Paused' }), 'Overdue', cancel],
    ['no mode yet', ask({ mode: undefined }), 'Overdue', cancel],
  ])('%s', (_, input, reason, result) => {
    expect(decide(pollTable, input)).toMatchObject({ reason, result });
  });

  it('a canceled copy counts as aborted', () => {
    expect(ABORTED).toBe('Live migration has been aborted');
  });

  it('shows what each rule looked at', () => {
    const overdue = [
      { object: 'copy', path: 'elapsedSeconds', value: 10 },
      { object: 'copy', path: 'timeoutSeconds', value: 300 },
      { object: 'migrationConfiguration', path: 'allowWorkloadDisruption', value: false },
      { object: 'migrationConfiguration', path: 'allowPostCopy', value: false },
    ];
    expect(traceOf(pollTable, ask({ elapsedSeconds: 10 })).map((step) => [step.rule, step.evidence])).toEqual(
      [
        ['PostCopy', [{ object: 'copy', path: 'mode', value: 'PreCopy' }]],
        ['SwitchToPostCopy', overdue],
        ['LongerDowntime', overdue],
        ['GuestSuspended', overdue],
        [
          'Stalled',
          [
            { object: 'copy', path: 'stalledSeconds', value: 0 },
            { object: 'migrationConfiguration', path: 'progressTimeout', value: 150 },
          ],
        ],
        ['Overdue', overdue],
        ['Copying', overdue],
      ],
    );
  });
});
