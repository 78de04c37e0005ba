import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import { DRAIN_CLIENTS, type DrainClientName, KUBECTL_DEFAULT_FLAGS } from './clients.ts';
import { SELECTION_TABLES, type SelectedPod, selectForDrain, tellErrors, tellWarnings } from './select.ts';

const vmi = aVmi().build();
const launcher = aPod('l')
  .launcherOf(vmi)
  .spec({ volumes: [{ name: 'a', emptyDir: {} }] })
  .build();
const facts = { now: 0 };

describe('a launcher with local storage', () => {
  it.each<[DrainClientName, boolean, string, boolean]>([
    ['kubectl', true, 'Selected', false],
    ['talosctl', true, 'Selected', false],
    ['talos-node', true, 'Selected', false],
    ['cluster-autoscaler', false, 'NotReplicated', true],
    ['descheduler', false, 'PodsWithLocalStorage', false],
    ['capi', true, 'Selected', false],
    ['workload-updater', true, 'Selected', false],
  ])('%s: %s', (name, selected, reason, fatal) => {
    expect(selectForDrain(DRAIN_CLIENTS[name], launcher, facts)).toMatchObject({ selected, reason, fatal });
  });

  it('makes a kubectl drain without flags fail', () => {
    const client = { ...DRAIN_CLIENTS.kubectl, flags: KUBECTL_DEFAULT_FLAGS };
    expect(selectForDrain(client, launcher, facts)).toEqual({
      selected: false,
      reason: 'LocalStorage',
      message: 'Pods with local storage (use --delete-emptydir-data to override)',
      severity: 'error',
      fatal: true,
      evidence: [
        { object: 'Pod shop/l', path: 'spec.volumes[emptyDir]', value: ['a'] },
        { object: 'Pod shop/l', path: 'status.phase', value: 'Running' },
      ],
    });
  });
});

describe('the workload updater', () => {
  it.each([
    ['launchers', launcher, true, 'Selected', 'virt-launcher'],
    [
      'nothing else',
      aPod('x').labelled('kubevirt.io', 'hotplug-disk').build(),
      false,
      'NoLauncher',
      'hotplug-disk',
    ],
  ])('takes %s', (_name, pod, selected, reason, value) => {
    expect(selectForDrain(DRAIN_CLIENTS['workload-updater'], pod, facts)).toEqual({
      selected,
      reason,
      message: '',
      severity: 'none',
      fatal: false,
      evidence: [{ object: `Pod shop/${pod.metadata.name}`, path: 'metadata.labels[kubevirt.io]', value }],
    });
  });
});

describe('the tables', () => {
  it('exist for every client, and end in a rule that always holds', () => {
    expect(Object.keys(SELECTION_TABLES).sort()).toEqual(Object.keys(DRAIN_CLIENTS).sort());
    for (const [name, table] of Object.entries(SELECTION_TABLES)) {
      const client = DRAIN_CLIENTS[name as DrainClientName];
      expect(table.at(-1)?.when({ client, pod: { metadata: { name: 'p' } }, facts })).toBe(true);
    }
  });
});

describe('what kubectl says of the pods of a node', () => {
  const told = (name: string, message: string, severity: 'none' | 'warning' | 'error'): SelectedPod => ({
    pod: aPod(name).build(),
    selected: { message, severity },
  });
  const pods = [
    told('a', 'x', 'error'),
    told('b', 'w', 'warning'),
    told('c', '', 'none'),
    told('d', 'y', 'error'),
    told('e', 'x', 'error'),
    told('f', 'w', 'warning'),
    told('g', 'v', 'warning'),
  ];

  it('errors, by message', () => {
    expect(tellErrors(pods)).toEqual(['cannot delete x: shop/a, shop/e', 'cannot delete y: shop/d']);
    expect(tellErrors([])).toEqual([]);
  });

  it('warnings, in one line', () => {
    expect(tellWarnings(pods)).toBe('w: shop/b, shop/f; v: shop/g');
    expect(tellWarnings([])).toBe('');
  });
});
