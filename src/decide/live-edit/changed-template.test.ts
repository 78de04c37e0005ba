import { describe, expect, it } from 'vitest';
import { aVm, aVmi } from '../../kubevirt/builders.ts';
import type { Vmi, VmiSpec } from '../../kubevirt/objects.ts';
import { parseInstant } from '../../kubevirt/time.ts';
import { restartRequiredBy, templateEdits } from './changed-template.ts';
import { editedWholeSpec } from './edit.ts';
import { hasOtherPluggedVolumes, withPluggedVolumes } from './plugged-volumes.ts';

const NOW = parseInstant('2026-03-01T12:00:00Z') ?? 0;
const FIXED = 'a non-live-updatable field was changed in the template spec';
const started: VmiSpec = {
  evictionStrategy: 'LiveMigrate',
  domain: {
    cpu: { sockets: 1, cores: 1 },
    memory: { guest: '1Gi' },
    devices: { disks: [{ name: 'root' }], interfaces: [{ name: 'default' }] },
  },
  volumes: [{ name: 'root' }],
  networks: [{ name: 'default' }],
};
const withCpu = (cpu: object): VmiSpec => ({ ...started, domain: { ...started.domain, cpu } });

describe('a template that has changed', () => {
  it.each<[string, VmiSpec, boolean, boolean]>([
    ['in nothing', { ...started }, false, false],
    ['in its sockets', withCpu({ sockets: 2, cores: 1 }), false, true],
    ['in its cores', withCpu({ sockets: 1, cores: 2 }), true, true],
    ['in having CPUs at all', { ...started, domain: { ...started.domain, cpu: undefined } }, true, true],
    ['in its memory', { ...started, domain: { ...started.domain, memory: { guest: '2Gi' } } }, false, true],
    [
      'in its most memory',
      { ...started, domain: { ...started.domain, memory: { guest: '1Gi', maxGuest: '2Gi' } } },
      true,
      true,
    ],
    ['in its node selector', { ...started, nodeSelector: { a: 'b' } }, false, true],
    ['in its affinity', { ...started, affinity: {} }, false, true],
    ['in its tolerations', { ...started, tolerations: [] }, false, true],
    [
      'in its volumes and disks',
      {
        ...started,
        volumes: [],
        domain: { ...started.domain, devices: { interfaces: [{ name: 'default' }] } },
      },
      false,
      true,
    ],
    [
      'in its networks',
      { ...started, networks: [], domain: { ...started.domain, devices: { disks: [{ name: 'root' }] } } },
      false,
      true,
    ],
    [
      'in other devices',
      {
        ...started,
        domain: { ...started.domain, devices: { ...started.domain?.devices, gpus: [{ name: 'g' }] } },
      },
      true,
      true,
    ],
    ['in its strategy', { ...started, evictionStrategy: 'None' }, true, true],
    ['in its grace', { ...started, terminationGracePeriodSeconds: 5 }, true, true],
  ])('%s', (_, current, live, stage) => {
    expect(restartRequiredBy(started, current, 'LiveUpdate')).toBe(live ? FIXED : undefined);
    expect(restartRequiredBy(started, current, 'Stage')).toBe(stage ? FIXED : undefined);
  });
});

describe('the edits between a template and its VMI', () => {
  const spec: VmiSpec = {
    architecture: 'amd64',
    domain: { cpu: { sockets: 1, maxSockets: 4 }, memory: { guest: '1Gi', maxGuest: '4Gi' } },
  };
  const vmi: Vmi = aVmi()
    .migratable()
    .spec(spec)
    .status({ memory: { guestCurrent: '1Gi', guestAtBoot: '1Gi' } })
    .build();
  const edits = (template: VmiSpec, of: Vmi = vmi) =>
    templateEdits(aVm().template(template).build(), of, 'LiveUpdate', NOW).map(
      ({ edit, result }) => `${edit.path} ${result.effect}`,
    );

  it.each<[string, VmiSpec, string[]]>([
    ['none', spec, []],
    ['sockets', { ...spec, domain: { ...spec.domain, cpu: { sockets: 2 } } }, ['cpu.sockets HotPlug']],
    [
      'too many sockets',
      { ...spec, domain: { ...spec.domain, cpu: { sockets: 5 } } },
      ['cpu.sockets RestartRequired'],
    ],
    ['memory', { ...spec, domain: { ...spec.domain, memory: { guest: '2Gi' } } }, ['memory.guest HotPlug']],
    [
      'placement',
      { ...spec, nodeSelector: { a: 'b' }, tolerations: [{ key: 'k' }] },
      ['nodeSelector HotPlug', 'tolerations HotPlug'],
    ],
    ['nothing that the template does not name', {}, []],
  ])('%s', (_, template, expected) => {
    expect(edits(template)).toEqual(expected);
  });

  it('take placement away too', () => {
    expect(edits(spec, { ...vmi, spec: { ...spec, affinity: { podAffinity: {} } } })).toEqual([
      'affinity HotPlug',
    ]);
  });

  it('a hot-plug of memory that failed asks for a restart', () => {
    const failed = {
      ...vmi,
      status: { ...vmi.status, conditions: [{ type: 'HotMemoryChange', status: 'False' }] },
    };
    expect(edits(spec, failed)).toEqual(['memory.guest RestartRequired']);
  });

  it('none without a template', () => {
    expect(templateEdits(aVm().spec({ template: undefined }).build(), vmi, 'LiveUpdate', NOW)).toEqual([]);
  });

  it('can be made in a spec with all its fields', () => {
    const whole = { firmware: 1, domain: { clock: {}, cpu: { sockets: 1, model: 'm' } } };
    expect(editedWholeSpec(whole, { path: 'cpu.sockets', value: 2 })).toEqual({
      firmware: 1,
      domain: { clock: {}, cpu: { sockets: 2, model: 'm' } },
    });
  });
});

describe('volumes that the template plugs in', () => {
  const plugged = (name: string) => ({
    name,
    persistentVolumeClaim: { claimName: name, hotpluggable: true },
  });
  const specWith = (volumes: object[], disks: object[] = []) => ({
    volumes,
    domain: { cpu: {}, devices: { disks, rng: {} } },
  });
  const root = { name: 'root', containerDisk: {} };
  const disk = (name: string, bus = 'scsi') => ({ name, disk: { bus } });

  it('come with their disks', () => {
    const spec = specWith([root], [disk('root')]);
    const template = specWith([root, plugged('a')], [disk('root', 'sata'), disk('a')]);
    expect(withPluggedVolumes(spec, template)).toEqual(
      specWith([root, plugged('a')], [disk('root'), disk('a')]),
    );
    expect(hasOtherPluggedVolumes(spec, template)).toBe(true);
  });

  it('go with their disks', () => {
    const spec = specWith([root, plugged('a'), plugged('b')], [disk('root'), disk('a'), disk('b')]);
    expect(withPluggedVolumes(spec, specWith([root, plugged('b')]))).toEqual(
      specWith([root, plugged('b')], [disk('root'), disk('b')]),
    );
  });

  it('are left alone where they are the same, as are those that were there from the start', () => {
    const spec = specWith([root, plugged('a')], [disk('a')]);
    expect(withPluggedVolumes(spec, specWith([plugged('a')]))).toBe(spec);
    expect(hasOtherPluggedVolumes(spec, specWith([plugged('a'), { name: 'other', emptyDisk: {} }]))).toBe(
      false,
    );
    expect(withPluggedVolumes(spec, specWith([plugged('a'), { name: 'other', emptyDisk: {} }]))).toBe(spec);
  });

  it('do not get a disk twice', () => {
    const spec = specWith([root], [disk('a', 'virtio')]);
    expect(withPluggedVolumes(spec, specWith([plugged('a')], [disk('a')]))).toEqual(
      specWith([root, plugged('a')], [disk('a', 'virtio')]),
    );
  });
});
