import { describe, expect, it } from 'vitest';
import { groupOf, isKnownKind, KINDS, KNOWN_KINDS, kindOfPlural, knownKind } from './kinds.ts';

describe('kinds', () => {
  it.each([
    ['kubevirt.io/v1', 'VirtualMachine', 'VirtualMachine'],
    ['kubevirt.io/v1alpha3', 'VirtualMachineInstance', 'VirtualMachineInstance'],
    ['v1', 'Node', 'Node'],
    ['apps/v1', 'Deployment', 'Deployment'],
    ['policy/v1beta1', 'PodDisruptionBudget', 'PodDisruptionBudget'],
    ['cluster.x-k8s.io/v1beta2', 'Machine', 'Machine'],
    ['machine.openshift.io/v1beta1', 'Machine', undefined],
    ['kubevirt.io/v1', 'Node', undefined],
    ['v1', 'ConfigMap', undefined],
    ['v1', 'constructor', undefined],
    ['', 'Pod', 'Pod'],
  ])('%s %s is %s', (apiVersion, kind, known) => {
    expect(knownKind(apiVersion, kind)).toBe(known);
  });

  it('knows its kinds whatever their group, and nothing that every JavaScript object has', () => {
    expect(KNOWN_KINDS.every(isKnownKind)).toBe(true);
    expect(['ConfigMap', 'constructor', 'pod'].some(isKnownKind)).toBe(false);
  });

  it('finds each kind by its plural, in any capitals', () => {
    for (const kind of KNOWN_KINDS) expect(kindOfPlural(KINDS[kind].plural)).toBe(kind);
    expect(kindOfPlural('virtualMachineInstances')).toBe('VirtualMachineInstance');
    expect(kindOfPlural('launcherImage')).toBeUndefined();
  });

  it('reads the group of an apiVersion', () => {
    expect(['v1', 'apps/v1', 'a.b/c'].map(groupOf)).toEqual(['', 'apps', 'a.b']);
  });
});
