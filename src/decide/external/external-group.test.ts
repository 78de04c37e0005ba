import { describe, expect, it } from 'vitest';
import { aVmi } from '../../kubevirt/builders.ts';
import {
  aHealthCheck,
  aKubevirtMachine,
  aMachine,
  annotated,
  aWorker,
  deleting,
  failed,
  NOW,
} from '../../kubevirt/cluster-api/builders.ts';
import type { Machine, MachineHealthCheck } from '../../kubevirt/objects.ts';
import { decide } from '../rules.ts';
import { externalOutcomeTable } from './external-outcome.ts';
import { cluster, foresee, group, type Scene } from './test-external-outcome.ts';
import { machineFailureMessage, workerOf } from './worker.ts';

describe('the group of a worker', () => {
  const check = aHealthCheck('50%');
  it.each<[string, Scene, string]>([
    ['two of four', { objects: cluster(group(4), check), alsoFailing: 1 }, 'MachineReplaced'],
    ['three of four', { objects: cluster(group(4), check), alsoFailing: 2 }, 'RemediationHeldBack'],
    [
      'one of three, another failed already',
      { objects: cluster([aMachine('w1'), failed(aMachine('w2')), aMachine('w3')], check) },
      'RemediationHeldBack',
    ],
    [
      'one of three, another being deleted',
      { objects: cluster([aMachine('w1'), deleting(aMachine('w2')), aMachine('w3')], check) },
      'RemediationHeldBack',
    ],
    [
      'one of two, failed already',
      { objects: cluster([failed(aMachine('w1')), aMachine('w2')], check) },
      'MachineReplaced',
    ],
    [
      'one of two, starting',
      { objects: cluster([aMachine('w1', { status: {} }), aMachine('w2')], check) },
      'MachineReplaced',
    ],
    [
      'more than there are',
      { objects: cluster(group(2), aHealthCheck(2)), alsoFailing: 9 },
      'MachineReplaced',
    ],
    [
      'a machine that no check may touch',
      { objects: cluster([annotated(aMachine('w1'), 'cluster.x-k8s.io/skip-remediation')], check) },
      'NoHealthCheck',
    ],
    ['no limit', { objects: cluster(group(1), aHealthCheck()) }, 'MachineReplaced'],
  ])('%s: %s', (_name, scene, reason) => {
    expect(foresee(scene).reason).toBe(reason);
  });

  it('is at least the machine itself', () => {
    const worker = { machine: aMachine(), healthCheck: aHealthCheck('50%') };
    const input = { controller: 'capk-v0.1.10', vmi: aWorker('False').build(), now: NOW, worker } as const;
    const asked = { ...input, behavior: 'exact', objects: { healthChecks: [] } } as const;
    const { result } = decide(externalOutcomeTable, asked);
    expect(result.says).toContain('1 of 1 machines');
  });

  it('is told in numbers', () => {
    const { result } = foresee({ objects: cluster(group(4), check), alsoFailing: 2 });
    expect(result.says).toContain(
      '3 of 4 machines would not be healthy, and MachineHealthCheck mhc replaces none beyond 2',
    );
  });
});

describe('the objects of a worker', () => {
  const vmi = aVmi('w1').build();
  const machine = (
    name: string,
    ref: { kind?: string; name?: string } | undefined,
    namespace = 'shop',
  ): Machine => ({
    metadata: { name, namespace, labels: { group: 'md' } },
    spec: { clusterName: 'guest', infrastructureRef: ref },
  });
  const mine = machine('m', { kind: 'KubevirtMachine', name: 'w1' });
  it.each<[string, Machine[], string | undefined]>([
    ['the one that refers to it', [machine('x', { kind: 'KubevirtMachine', name: 'w2' }), mine], 'm'],
    ['not one of another kind', [machine('x', { kind: 'DockerMachine', name: 'w1' })], undefined],
    [
      'not one of another namespace',
      [machine('x', { kind: 'KubevirtMachine', name: 'w1' }, 'web')],
      undefined,
    ],
    ['not one without reference', [machine('w1', undefined)], undefined],
  ])('its Machine: %s', (_name, machines, found) => {
    expect(workerOf(vmi, { machines }).machine?.metadata.name).toBe(found);
  });

  it('its KubevirtMachine has its name and namespace', () => {
    const elsewhere = { metadata: { name: 'w1', namespace: 'web' } };
    expect(workerOf(vmi, { kubevirtMachines: [elsewhere] }).kubevirtMachine).toBeUndefined();
    expect(workerOf(vmi, { kubevirtMachines: [elsewhere, aKubevirtMachine()] }).kubevirtMachine).toEqual(
      aKubevirtMachine(),
    );
    expect(workerOf(vmi, {})).toEqual({
      kubevirtMachine: undefined,
      machine: undefined,
      healthCheck: undefined,
    });
  });

  it('its health check is the first by name that looks after its Machine', () => {
    const named = (name: string, check = aHealthCheck()): MachineHealthCheck => ({
      ...check,
      metadata: { name, namespace: 'shop' },
    });
    const healthChecks = [named('z'), named('b'), named('a', aHealthCheck(1, { clusterName: 'other' }))];
    expect(workerOf(vmi, { machines: [mine], healthChecks }).healthCheck?.metadata.name).toBe('b');
    expect(workerOf(vmi, { healthChecks }).healthCheck).toBeUndefined();
  });
});

describe('the failure of a Machine', () => {
  it('is told as Cluster API tells it', () => {
    const text =
      'Failure detected from referenced resource infrastructure.cluster.x-k8s.io/v1alpha1, Kind=KubevirtMachine with name "w1": gone';
    expect(machineFailureMessage(aKubevirtMachine(), 'gone')).toBe(text);
    expect(machineFailureMessage({ ...aKubevirtMachine(), apiVersion: 'infra/v1' }, 'gone')).toBe(
      'Failure detected from referenced resource infra/v1, Kind=KubevirtMachine with name "w1": gone',
    );
  });
});
