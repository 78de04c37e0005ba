import { describe, expect, it } from 'vitest';
import { aVm, aVmi } from '../../kubevirt/builders.ts';
import type { VmiSpec } from '../../kubevirt/objects.ts';
import { decideLiveEdit } from './live-edit.ts';
import type { LiveEditInput } from './result.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const CHANGED = 'memory updated in template spec';
const object = 'VirtualMachineInstance shop/db';

type Domain = NonNullable<VmiSpec['domain']>;

const room = { guest: '1Gi', maxGuest: '4Gi' };
const booted = { guestAtBoot: '1Gi', guestCurrent: '1Gi', guestRequested: '1Gi' };
const bare = (memory: Domain['memory'] = room) =>
  aVmi().spec({ architecture: 'amd64', domain: { memory } }).status({ memory: booted });
const running = (memory?: Domain['memory']) => bare(memory).migratable();

function edit(
  value: string,
  change: Partial<LiveEditInput> = {},
  domain: Domain = {},
  spec: VmiSpec = { architecture: 'amd64' },
) {
  const vm = aVm()
    .template({ ...spec, domain: { memory: { guest: '1Gi' }, ...domain } })
    .build();
  const input: LiveEditInput = {
    vm,
    vmi: running().build(),
    edit: { path: 'memory.guest', value },
    rolloutStrategy: 'LiveUpdate',
    now,
    ...change,
  };
  return decideLiveEdit(input);
}

function told(...of: Parameters<typeof edit>) {
  const { reason, result } = edit(...of);
  return [reason, result.effect, result.message];
}

describe('memory', () => {
  it('that fits goes in live, and sets its condition on the VMI', () => {
    expect(edit('2Gi')).toEqual({
      reason: 'MemoryHotplug',
      result: {
        effect: 'HotPlug',
        message: 'hotplugging memory to 2Gi',
        condition: { type: 'HotMemoryChange', status: 'True' },
      },
      evidence: [
        { object, path: 'spec.domain.memory.guest', value: '1Gi' },
        { object, path: 'spec.domain.memory.maxGuest', value: '4Gi' },
      ],
    });
    expect(told('4Gi')[0]).toBe('MemoryHotplug');
  });

  it.each<[string, LiveEditInput['vmi'], string, string, string]>([
    [
      'that runs already',
      running({ ...room, guest: '2048Mi' }).build(),
      'MemoryInPlace',
      'NoChange',
      'the running VMI has that much memory already',
    ],
    [
      'of a VMI that says nothing',
      aVmi()
        .spec({ domain: { memory: room } })
        .migratable()
        .build(),
      'MemoryNotReported',
      'NoChange',
      'without amounts of memory on both sides KubeVirt leaves the VMI alone',
    ],
    [
      'of a VMI without an amount',
      aVmi().status({ memory: booted }).migratable().build(),
      'MemoryNotReported',
      'NoChange',
      'without amounts of memory on both sides KubeVirt leaves the VMI alone',
    ],
    [
      'of a VMI that cannot migrate',
      bare().migratable('False').build(),
      'MemoryNeedsMigratable',
      'RestartRequired',
      `${CHANGED}. Memory-hotplug is only available for migratable VMs`,
    ],
    [
      'of a VMI of which that is not known',
      bare().build(),
      'MemoryNeedsMigratable',
      'RestartRequired',
      `${CHANGED}. Memory-hotplug is only available for migratable VMs`,
    ],
    [
      'of a VMI without room',
      running({ guest: '1Gi' }).build(),
      'MemoryWithoutMaximum',
      'RestartRequired',
      `${CHANGED}. Memory-hotplug is not available for this VM configuration`,
    ],
    [
      'after a hot-plug that failed',
      bare().migratable('False').condition('HotMemoryChange', 'False').build(),
      'MemoryHotplugFailed',
      'RestartRequired',
      `${CHANGED}. Memory-hotplug failed and is not available for this VM configuration`,
    ],
    [
      'during a hot-plug',
      running().condition('HotMemoryChange', 'True').build(),
      'MemoryHotplugInProgress',
      'Refused',
      'error encountered while handling memory hotplug requests: another memory hotplug is in progress',
    ],
    [
      'during a migration',
      running().migrationState({ startTimestamp: '2026-03-01T11:00:00Z' }).build(),
      'MemoryHotplugDuringMigration',
      'Refused',
      'error encountered while handling memory hotplug requests: memory hotplug is not allowed while VMI is migrating',
    ],
    [
      'below what was booted',
      running()
        .status({ memory: { ...booted, guestAtBoot: '3Gi' } })
        .build(),
      'MemoryBelowBoot',
      'RestartRequired',
      `${CHANGED} to a value lower than what the VM started with`,
    ],
    [
      'of as much as was booted',
      running({ ...room, guest: '3Gi' })
        .status({ memory: { ...booted, guestAtBoot: '2Gi' } })
        .build(),
      'MemoryHotplug',
      'HotPlug',
      'hotplugging memory to 2Gi',
    ],
    [
      'of a VMI that does not say what was booted',
      running()
        .status({ memory: { guestCurrent: '1Gi' } })
        .build(),
      'MemoryHotplug',
      'HotPlug',
      'hotplugging memory to 2Gi',
    ],
  ])('%s', (_, vmi, ...expected) => {
    expect(told('2Gi', { vmi })).toEqual(expected);
  });

  it.each<[string, string, Domain, VmiSpec, string]>([
    ['realtime', '2Gi', { cpu: { realtime: {} } }, {}, 'Memory hotplug is not compatible with realtime VMs'],
    [
      'NUMA passed through',
      '2Gi',
      { cpu: { numa: { guestMappingPassthrough: {} } } },
      {},
      'Memory hotplug is not compatible with guest mapping passthrough',
    ],
    ['encryption', '2Gi', { launchSecurity: {} }, {}, 'Memory hotplug is not compatible with encrypted VMs'],
    ['more than there may be', '5Gi', {}, {}, 'Guest memory is greater than the configured maxGuest memory'],
    ['a crooked amount', '2049Mi', {}, {}, 'Guest memory must be 2Mi aligned'],
    [
      'an amount that is crooked for huge pages',
      '2050Mi',
      { memory: { guest: '1Gi', hugepages: { pageSize: '1Gi' } } },
      {},
      'Guest memory must be 1Gi aligned',
    ],
    ['arm64', '2Gi', {}, { architecture: 'arm64' }, 'Memory hotplug is only available for x86_64 VMs'],
    ['s390x', '2Gi', {}, { architecture: 's390x' }, 'Memory hotplug is only available for x86_64 VMs'],
  ])('is not supported with %s', (_, value, domain, spec, why) => {
    expect(told(value, {}, domain, { architecture: 'amd64', ...spec })).toEqual([
      'MemoryHotplugUnsupported',
      'RestartRequired',
      `memory hotplug not supported, ${why}`,
    ]);
  });

  it.each<[string, string, Domain]>([
    ['NUMA not passed through', '2Gi', { cpu: { numa: {} } }],
    ['small huge pages', '2050Mi', { memory: { guest: '1Gi', hugepages: { pageSize: '2Mi' } } }],
    ['large huge pages', '2Gi', { memory: { guest: '1Gi', hugepages: { pageSize: '1Gi' } } }],
  ])('is supported with %s', (_, value, domain) => {
    expect(told(value, {}, domain)[0]).toBe('MemoryHotplug');
  });

  it('needs an even maximum too', () => {
    const vmi = running({ guest: '1Gi', maxGuest: '4097Mi' }).build();
    expect(told('2Gi', { vmi })[2]).toBe('memory hotplug not supported, MaxGuest must be 2Mi aligned');
  });

  it('takes the architecture of the VMI where the template names none, else amd64', () => {
    const nowhere = aVmi()
      .spec({ domain: { memory: room } })
      .status({ memory: booted })
      .migratable();
    const arm = nowhere.build();
    expect(told('2Gi', { vmi: nowhere.build() }, {}, {})[0]).toBe('MemoryHotplug');
    const vmi = { ...arm, spec: { ...arm.spec, architecture: 'arm64' } };
    expect(told('2Gi', { vmi }, {}, {})[0]).toBe('MemoryHotplugUnsupported');
    expect(told('2Gi', { vmi })[0]).toBe('MemoryHotplug');
  });

  it('rounds fractions of a byte up', () => {
    expect(told('2147483647500m')[0]).toBe('MemoryHotplug');
  });

  it('names what it compared', () => {
    const guest = { object, path: 'spec.domain.memory.guest', value: '1Gi' };
    const most = { object, path: 'spec.domain.memory.maxGuest', value: '4Gi' };
    const evidence = (value: string, vmi = running().build()) => edit(value, { vmi }).evidence;
    const state = { startTimestamp: '2026-03-01T11:00:00Z' };
    expect(evidence('9Gi')).toEqual([guest, most]);
    expect(evidence('2Gi', running({ ...room, guest: '2Gi' }).build())).toEqual([{ ...guest, value: '2Gi' }]);
    expect(evidence('2Gi', running({ guest: '1Gi' }).build())).toEqual([{ ...most, value: undefined }]);
    expect(evidence('2Gi', bare().migratable('False', 'Disks').build())).toEqual([
      { object, path: 'status.conditions[type=LiveMigratable]', value: 'False: Disks' },
    ]);
    expect(evidence('2Gi', running().condition('HotMemoryChange', 'True').build())).toEqual([
      { object, path: 'status.conditions[type=HotMemoryChange]', value: 'True' },
    ]);
    expect(evidence('2Gi', running().condition('HotMemoryChange', 'False').build())).toEqual([
      { object, path: 'status.conditions[type=HotMemoryChange]', value: 'False' },
    ]);
    expect(evidence('2Gi', running().migrationState(state).build())).toEqual([
      { object, path: 'status.migrationState', value: state },
    ]);
    expect(
      evidence(
        '2Gi',
        running()
          .status({ memory: { ...booted, guestAtBoot: '3Gi' } })
          .build(),
      ),
    ).toEqual([{ object, path: 'status.memory.guestAtBoot', value: '3Gi' }]);
    expect(evidence('2Gi', aVmi().build())).toEqual([
      { ...guest, value: undefined },
      { object, path: 'status.memory.guestCurrent', value: undefined },
    ]);
  });
});
