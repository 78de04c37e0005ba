import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import type { VmiSpec } from '../../kubevirt/objects.ts';
import { launcherPod } from './launcher-pod.ts';

describe('where a launcher may run', () => {
  const placed = (spec: VmiSpec, nodeSelectors?: Record<string, string>) =>
    launcherPod({
      vmi: aVmi('db').spec(spec).build(),
      image: 'i',
      configuration: { developerConfiguration: { nodeSelectors } },
    }).spec;
  const always = { 'kubernetes.io/arch': 'amd64', 'kubevirt.io/schedulable': 'true' };

  it.each([
    ['nothing', {}, undefined, {}],
    ['the VM', { nodeSelector: { zone: 'a' } }, { zone: 'b', rack: 'r' }, { zone: 'a', rack: 'r' }],
    ['another architecture', { architecture: 'arm64' }, undefined, { 'kubernetes.io/arch': 'arm64' }],
    [
      'a machine',
      { domain: { machine: { type: 'q35' } } },
      undefined,
      { 'machine-type.node.kubevirt.io/q35': 'true' },
    ],
    [
      'a CPU model',
      { domain: { cpu: { model: 'EPYC' } } },
      undefined,
      { 'cpu-model.node.kubevirt.io/EPYC': 'true' },
    ],
    ['the CPU of the host', { domain: { cpu: { model: 'host-model' } } }, undefined, {}],
    ['the host itself', { domain: { cpu: { model: 'host-passthrough' } } }, undefined, {}],
    [
      'CPU features',
      {
        domain: {
          cpu: {
            features: [{ name: 'a' }, { name: 'b', policy: 'require' }, { name: 'c', policy: 'optional' }],
          },
        },
      },
      undefined,
      { 'cpu-feature.node.kubevirt.io/a': 'true', 'cpu-feature.node.kubevirt.io/b': 'true' },
    ],
    [
      'CPUs for itself',
      { domain: { cpu: { dedicatedCpuPlacement: true } } },
      undefined,
      { cpumanager: 'true' },
    ],
    ['SEV', { domain: { launchSecurity: { sev: {} } } }, undefined, { 'kubevirt.io/sev': 'true' }],
    ['SNP', { domain: { launchSecurity: { snp: {} } } }, undefined, { 'kubevirt.io/sev-snp': 'true' }],
    ['TDX', { domain: { launchSecurity: { tdx: {} } } }, undefined, { 'kubevirt.io/tdx': 'true' }],
  ])('selects nodes by %s', (_, spec, enforced, selector) => {
    expect(placed(spec, enforced)?.nodeSelector).toEqual({ ...always, ...selector });
  });

  const added = { key: 'node-labeller.kubevirt.io/obsolete-host-model', operator: 'DoesNotExist' };
  const required = (nodeSelectorTerms: object[]) => ({
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
  });

  it('keeps off nodes whose CPU model is not known, in each term', () => {
    expect(placed({})?.affinity).toEqual({ nodeAffinity: required([{ matchExpressions: [added] }]) });
    const zone = { key: 'zone', operator: 'Exists' };
    const field = { key: 'metadata.name', operator: 'In', values: ['n1'] };
    const terms = [{ matchExpressions: [zone] }, { matchFields: [field] }];
    const preferred = { preferredDuringSchedulingIgnoredDuringExecution: [] };
    const affinity = { nodeAffinity: { ...required(terms), ...preferred }, podAntiAffinity: {} };
    expect(placed({ affinity })?.affinity).toEqual({
      nodeAffinity: {
        ...preferred,
        ...required([
          { matchExpressions: [zone, added] },
          { matchFields: [field], matchExpressions: [added] },
        ]),
      },
      podAntiAffinity: {},
    });
  });

  it('does not mind them with a CPU model of its own', () => {
    const domain = { cpu: { model: 'EPYC' } };
    expect(placed({ domain })?.affinity).toBeUndefined();
    expect(placed({ domain, affinity: { podAffinity: {} } })?.affinity).toEqual({ podAffinity: {} });
  });

  it('has the tolerations of the VM', () => {
    const tolerations = [{ key: 'gpu', operator: 'Exists' }];
    expect(placed({ tolerations })?.tolerations).toEqual(tolerations);
  });
});
