import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import { decide } from '../rules.ts';
import type { MigratabilityInput } from './input.ts';
import {
  liveMigratableCondition,
  liveMigratableTable,
  storageLiveMigratableCondition,
} from './live-migratable.ts';
import { gpu, guest, mediated, OBSTACLES, reenlightened, vgpuOn } from './test-obstacles.ts';

describe('LiveMigratable', () => {
  it.each(OBSTACLES)('False because of %s', (_, reason, message, _storage, input) => {
    expect(liveMigratableCondition(input)).toEqual({
      type: 'LiveMigratable',
      status: 'False',
      reason,
      message,
    });
  });

  it.each<[string, MigratabilityInput]>([
    ['a plain VMI', { vmi: guest({}) }],
    ['a VMI without spec', { vmi: { metadata: { name: 'db' } } }],
    ['a known host model', { vmi: guest({ cpu: { model: 'host-model' } }), hostCpuModel: 'Skylake' }],
    ['another CPU model', { vmi: guest({ cpu: { model: 'host-passthrough' } }) }],
    [
      'a mediated GPU',
      { vmi: guest({ devices: { gpus: [gpu] } }), configuration: { ...vgpuOn, ...mediated('vendor/vgpu') } },
    ],
    ['launch security of no kind', { vmi: guest({ launchSecurity: {} }, { architecture: 'amd64' }) }],
    ['s390x without launch security', { vmi: guest({}, { architecture: 's390x' }) }],
    [
      're-enlightenment that is off',
      { vmi: guest({ features: { hyperv: { reenlightenment: { enabled: false } } } }) },
    ],
    ['re-enlightenment that is not said', { vmi: guest({ features: { hyperv: { reenlightenment: {} } } }) }],
    [
      'a required invtsc',
      { vmi: guest({ features: reenlightened, cpu: { features: [{ name: 'invtsc', policy: 'require' }] } }) },
    ],
    [
      'a forced invtsc',
      {
        vmi: guest({
          features: reenlightened,
          cpu: { features: [{ name: 'aes' }, { name: 'invtsc', policy: 'force' }] },
        }),
      },
    ],
    ['Hyper-V not passed through', { vmi: guest({ features: { hypervPassthrough: { enabled: false } } }) }],
    [
      'a persistent reservation',
      { vmi: guest({ devices: { disks: [{ name: 'd', lun: { reservation: true } }] } }) },
    ],
  ])('True for %s', (_, input) => {
    expect(liveMigratableCondition(input)).toEqual({ type: 'LiveMigratable', status: 'True' });
  });

  it('a known TSC frequency is no obstacle, zero is none', () => {
    const at = (tscFrequency: number) =>
      liveMigratableCondition({
        vmi: aVmi()
          .spec({ domain: { features: reenlightened } })
          .status({ topologyHints: { tscFrequency } })
          .build(),
      }).status;
    expect([at(2_400_000_000), at(1), at(0)]).toEqual(['True', 'True', 'False']);
  });

  it.each(['optional', 'disable', undefined])(
    'an invtsc of policy %s does not lift the obstacle',
    (policy) => {
      const cpu = { features: [{ name: 'invtsc', policy }] };
      expect(liveMigratableCondition({ vmi: guest({ features: reenlightened, cpu }) }).status).toBe('False');
    },
  );

  it('another required feature does not lift it either', () => {
    const cpu = { features: [{ name: 'aes', policy: 'require' }] };
    expect(liveMigratableCondition({ vmi: guest({ features: reenlightened, cpu }) }).status).toBe('False');
  });

  it('U5: an empty hypervPassthrough crashes the real virt-handler; here it is not enabled', () => {
    const input = { vmi: guest({ features: { hypervPassthrough: {} } }) };
    expect(liveMigratableCondition(input)).toEqual({ type: 'LiveMigratable', status: 'True' });
    expect(storageLiveMigratableCondition(input)).toEqual({ type: 'StorageLiveMigratable', status: 'True' });
  });

  it('the node without a name is quoted all the same', () => {
    const vmi = aVmi()
      .spec({ domain: { cpu: { model: 'host-model' } } })
      .build();
    expect(liveMigratableCondition({ vmi }).message).toBe(
      'the node "" does not allow migration with host-model',
    );
  });
});

describe('StorageLiveMigratable', () => {
  it.each(OBSTACLES)('minds, or does not mind, %s', (_, reason, message, storage, input) => {
    expect(storageLiveMigratableCondition(input)).toEqual(
      storage
        ? {
            type: 'StorageLiveMigratable',
            status: 'False',
            reason: 'NotMigratable',
            message: `${reason}: ${message}`,
          }
        : { type: 'StorageLiveMigratable', status: 'True' },
    );
  });

  it('minds a persistent reservation, which a live migration does not', () => {
    const vmi = guest({ devices: { disks: [{ name: 'a' }, { name: 'd', lun: { reservation: true } }] } });
    expect(storageLiveMigratableCondition({ vmi }).message).toBe(
      'PersistentReservationNotLiveMigratable: VMI uses SCSI persistent reservation',
    );
    const free = guest({ devices: { disks: [{ name: 'd', lun: { reservation: false } }] } });
    expect(storageLiveMigratableCondition({ vmi: free }).status).toBe('True');
  });

  it('collects all obstacles in order', () => {
    const vmi = guest({
      cpu: { model: 'host-model' },
      launchSecurity: { tdx: {} },
      features: { ...reenlightened, hypervPassthrough: { enabled: true } },
      devices: { hostDevices: [{ name: 'h' }], disks: [{ name: 'd', lun: { reservation: true } }] },
    });
    expect(
      storageLiveMigratableCondition({ vmi })
        .message?.split(', ')
        .map((each) => each.split(':')[0]),
    ).toEqual([
      'CPUModeLiveMigratable',
      'HostDeviceNotLiveMigratable',
      'TDXNotLiveMigratable',
      'PersistentReservationNotLiveMigratable',
      'NoTSCFrequencyNotLiveMigratable',
      'HypervPassthroughNotLiveMigratable',
    ]);
  });
});

describe('the evidence', () => {
  const fields = (input: MigratabilityInput) =>
    decide(liveMigratableTable, input).evidence.map(({ path, value }) => [path, value]);

  it.each<[string, MigratabilityInput, unknown[]]>([
    [
      'host model',
      { vmi: guest({ cpu: { model: 'host-model' } }) },
      [['spec.domain.cpu.model', 'host-model']],
    ],
    [
      'devices',
      { vmi: guest({ devices: { gpus: [gpu] } }) },
      [
        ['spec.domain.devices.hostDevices', undefined],
        ['spec.domain.devices.gpus', [gpu]],
      ],
    ],
    [
      'security',
      { vmi: guest({ launchSecurity: { sev: {} } }) },
      [['spec.domain.launchSecurity', { sev: {} }]],
    ],
    [
      'TSC',
      { vmi: guest({ features: reenlightened }) },
      [
        ['spec.domain.features.hyperv.reenlightenment.enabled', true],
        ['status.topologyHints.tscFrequency', undefined],
      ],
    ],
    [
      'passthrough',
      { vmi: guest({ features: { hypervPassthrough: { enabled: true } } }) },
      [['spec.domain.features.hypervPassthrough', { enabled: true }]],
    ],
    ['no obstacle', { vmi: guest({}) }, [['spec.volumes', undefined]]],
  ])('of %s', (_, input, evidence) => {
    expect(fields(input)).toEqual(evidence);
  });
});
