import { describe, expect, it } from 'vitest';
import { aKubeVirt } from '../../kubevirt/builders.ts';
import { statusPatch } from './status-patch.ts';

const path = '/status/outdatedVirtualMachineInstanceWorkloads';
const holding = (outdatedVirtualMachineInstanceWorkloads?: number) =>
  aKubeVirt().status({ outdatedVirtualMachineInstanceWorkloads }).build();

describe('the count in the status of the KubeVirt CR', () => {
  it('is added where there is none, zero too', () => {
    expect(statusPatch(holding(), 0)).toEqual({
      namespace: 'kubevirt',
      name: 'kubevirt',
      subresource: 'status',
      patchType: 'application/json-patch+json',
      patch: [{ op: 'add', path, value: 0 }],
    });
  });

  it('is tested and replaced where it differs', () => {
    expect(statusPatch(holding(0), 3)?.patch).toEqual([
      { op: 'test', path, value: 0 },
      { op: 'replace', path, value: 3 },
    ]);
  });

  it('is left alone where it is right', () => {
    expect(statusPatch(holding(3), 3)).toBeUndefined();
    expect(statusPatch(holding(0), 0)).toBeUndefined();
  });

  it('is added to a CR without status', () => {
    expect(statusPatch({ metadata: { name: 'kubevirt' } }, 1)?.patch).toEqual([
      { op: 'add', path, value: 1 },
    ]);
  });
});
