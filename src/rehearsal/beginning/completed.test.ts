import { describe, expect, it } from 'vitest';
import { everRan } from '../../decide/start-backoff.ts';
import { aNode, aVmi } from '../../kubevirt/builders.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { completed, hardwareOf } from './completed.ts';

const asks = (domain: object) => aVmi('asking').on('n1').spec({ domain }).build();
const nodeWith = (labels: Record<string, string>) => {
  const node = aNode('n1').build();
  return { ...node, kind: 'Node' as const, metadata: { ...node.metadata, labels } };
};
const labelsOf = (labels: Record<string, string>, ...domains: object[]) =>
  completed(nodeWith(labels), hardwareOf(domains.map(asks))).metadata.labels;

describe('a node of a trimmed snapshot', () => {
  it('that names no machine has those that its guests need: they move to it, as the forecast says', () => {
    const labels = labelsOf({}, { machine: { type: 'pc-q35-rhel9.4.0' }, cpu: { model: 'Haswell' } });
    expect(labels).toMatchObject({
      'machine-type.node.kubevirt.io/pc-q35-rhel9.4.0': 'true',
      'machine-type.node.kubevirt.io/q35': 'true',
      'cpu-model.node.kubevirt.io/Haswell': 'true',
      'kubernetes.io/arch': 'amd64',
    });
  });

  it('keeps to the machines that it names', () => {
    const own = { 'machine-type.node.kubevirt.io/q35': 'true' };
    const labels = labelsOf(own, { machine: { type: 'pc-q35-rhel9.4.0' } });
    expect(labels).not.toHaveProperty(['machine-type.node.kubevirt.io/pc-q35-rhel9.4.0']);
  });

  it('has no CPU model for guests with that of their host', () => {
    const labels = labelsOf({}, { cpu: { model: 'host-passthrough' } }, { cpu: { model: 'host-model' } });
    const models = Object.keys(labels ?? {}).filter((label) => label.startsWith('cpu-model.node'));
    expect(models).toEqual(['cpu-model.node.kubevirt.io/Skylake-Server']);
  });
});

describe('a VMI of a trimmed snapshot', () => {
  const held = (vmi: Vmi) => completed({ ...vmi, kind: 'VirtualMachineInstance' as const }, hardwareOf([]));

  it('that runs is kept until its guest has shut down, as every real one is', () => {
    expect(held(aVmi('a').on('n1').build()).metadata.finalizers).toEqual([
      'kubevirt.io/foregroundDeleteVirtualMachine',
    ]);
  });

  it('that runs has come up once, so that its restart does not wait as after a start that failed', () => {
    expect(everRan(held(aVmi('a').on('n1').build()))).toBe(true);
    expect(everRan(held(aVmi('a').on('n1').phase('Scheduled').build()))).toBe(false);
    const phases = [{ phase: 'Running', phaseTransitionTimestamp: '2026-03-01T11:00:00Z' }];
    const vmi = aVmi('a').on('n1').status({ phaseTransitionTimestamps: phases }).build();
    expect(held(vmi).status?.phaseTransitionTimestamps).toEqual(phases);
  });

  it('keeps the finalizers that it has', () => {
    const vmi = aVmi('a').on('n1').build();
    const older = { ...vmi, metadata: { ...vmi.metadata, finalizers: ['foregroundDeleteVirtualMachine'] } };
    expect(held(older).metadata.finalizers).toEqual(['foregroundDeleteVirtualMachine']);
  });
});
