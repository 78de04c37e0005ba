import { describe, expect, it } from 'vitest';
import { aVm, aVmi } from '../../kubevirt/builders.ts';
import type { LiveEdit } from './edit.ts';
import { decideLiveEdit } from './live-edit.ts';
import type { LiveEditInput } from './result.ts';
import { edit, migrating, running, sockets, template, told } from './test-live-edit.ts';

describe('sockets', () => {
  it.each<[string, Partial<LiveEditInput>, number, string, string, string]>([
    ['more', {}, 2, 'CpuHotplug', 'HotPlug', 'hotplugging cpu to 2 sockets'],
    ['as many as there may be', {}, 4, 'CpuHotplug', 'HotPlug', 'hotplugging cpu to 4 sockets'],
    [
      'too many',
      {},
      5,
      'SocketsOverMaximum',
      'RestartRequired',
      "CPU sockets updated in template spec to a value higher than what's available",
    ],
    [
      'more, without room',
      { vmi: running({ sockets: 1 }).build() },
      2,
      'SocketsOverMaximum',
      'RestartRequired',
      "CPU sockets updated in template spec to a value higher than what's available",
    ],
    [
      'fewer',
      { vmi: running({ sockets: 3, maxSockets: 4 }).build() },
      2,
      'SocketsReduced',
      'RestartRequired',
      'Reduction of CPU socket count requires a restart',
    ],
    [
      'what runs already',
      { vmi: running({ sockets: 2, maxSockets: 4 }).build() },
      2,
      'SocketsInPlace',
      'NoChange',
      'the running VMI has that many sockets already',
    ],
    [
      'on a VMI without CPU',
      { vmi: aVmi().build() },
      2,
      'VmiWithoutCpu',
      'NoChange',
      'the running VMI has no CPU topology that could be changed',
    ],
    [
      'on arm64',
      {
        vm: aVm()
          .template({ ...template, architecture: 'arm64' })
          .build(),
      },
      2,
      'ArmWithoutCpuHotplug',
      'RestartRequired',
      "ARM doesn't support CPU hotplug",
    ],
    [
      'during a hot-plug',
      { vmi: running().condition('HotVCPUChange', 'True').build() },
      2,
      'CpuHotplugInProgress',
      'Refused',
      'Error encountered while handling CPU change request: another CPU hotplug is in progress',
    ],
    [
      'after a hot-plug',
      { vmi: running().condition('HotVCPUChange', 'False').build() },
      2,
      'CpuHotplug',
      'HotPlug',
      'hotplugging cpu to 2 sockets',
    ],
    [
      'during a migration',
      { vmi: running().migrationState(migrating).build() },
      2,
      'CpuHotplugDuringMigration',
      'Refused',
      'Error encountered while handling CPU change request: CPU hotplug is not allowed while VMI is migrating',
    ],
    [
      'too many, during a migration',
      { vmi: running().migrationState(migrating).build() },
      9,
      'CpuHotplugDuringMigration',
      'Refused',
      'Error encountered while handling CPU change request: CPU hotplug is not allowed while VMI is migrating',
    ],
    [
      'too many, on arm64',
      {
        vm: aVm()
          .template({ ...template, architecture: 'arm64' })
          .build(),
      },
      9,
      'SocketsOverMaximum',
      'RestartRequired',
      "CPU sockets updated in template spec to a value higher than what's available",
    ],
    [
      'more, of a VMI that cannot migrate',
      { vmi: running().migratable('False').build() },
      2,
      'CpuHotplug',
      'HotPlug',
      'hotplugging cpu to 2 sockets',
    ],
  ])('%s', (_, change, value, ...expected) => {
    expect(told(edit({ ...change, edit: sockets(value) }))).toEqual(expected);
  });

  it('a hot-plug sets its condition on the VMI', () => {
    expect(decideLiveEdit(edit({ edit: sockets(2) })).result.condition).toEqual({
      type: 'HotVCPUChange',
      status: 'True',
    });
  });

  it('taken out of the template count as none', () => {
    const of: LiveEdit = { path: 'cpu.sockets', value: undefined };
    expect(told(edit({ edit: of }))[0]).toBe('SocketsReduced');
    expect(told(edit({ edit: of, vmi: running({ cores: 1 }).build() }))[0]).toBe('SocketsInPlace');
  });

  it('C13: 1 to 8 and 2 to 1 require a restart, 1 to 2 goes in live', () => {
    const effect = (before: number, after: number) => {
      const vm = aVm()
        .template({ domain: { cpu: { sockets: before } } })
        .build();
      const vmi = running({ sockets: before, maxSockets: 4 }).migratable('False').build();
      return decideLiveEdit(edit({ vm, vmi, edit: sockets(after) })).result.effect;
    };
    expect([effect(1, 8), effect(2, 1), effect(1, 2)]).toEqual([
      'RestartRequired',
      'RestartRequired',
      'HotPlug',
    ]);
  });

  it('names what it compared', () => {
    const object = 'VirtualMachineInstance shop/db';
    const count = { object, path: 'spec.domain.cpu.sockets', value: 1 };
    const most = { object, path: 'spec.domain.cpu.maxSockets', value: 4 };
    const evidence = (change: Partial<LiveEditInput>, value: number) =>
      decideLiveEdit(edit({ ...change, edit: sockets(value) })).evidence;
    expect(evidence({}, 2)).toEqual([count, most]);
    expect(evidence({}, 9)).toEqual([count, most]);
    expect(evidence({ vmi: running({ sockets: 3 }).build() }, 2)).toEqual(
      [count, most].map((each) => ({ ...each, value: each === count ? 3 : undefined })),
    );
    expect(evidence({ vmi: running({ sockets: 3, maxSockets: 3 }).build() }, 2)).toEqual([
      { ...count, value: 3 },
    ]);
    expect(evidence({ vmi: aVmi().build() }, 2)).toEqual([
      { object, path: 'spec.domain.cpu', value: undefined },
    ]);
    expect(evidence({ vmi: running().migrationState(migrating).build() }, 2)).toEqual([
      { object, path: 'status.migrationState', value: migrating },
    ]);
    expect(evidence({ vmi: running().condition('HotVCPUChange', 'True').build() }, 2)).toEqual([
      { object, path: 'status.conditions[type=HotVCPUChange]', value: 'True' },
    ]);
    expect(
      evidence(
        {
          vm: aVm()
            .template({ ...template, architecture: 'arm64' })
            .build(),
        },
        2,
      ),
    ).toEqual([
      { object: 'VirtualMachine shop/db', path: 'spec.template.spec.architecture', value: 'arm64' },
    ]);
  });
});
