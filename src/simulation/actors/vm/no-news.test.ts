import { describe, expect, it } from 'vitest';
import { aVm, aVmi } from '../../../kubevirt/builders.ts';
import type { VirtualMachine, Vmi } from '../../../kubevirt/objects.ts';
import { isNoNewsForVm, isPrintedNews } from './no-news.ts';

const vm: VirtualMachine = { ...aVm('db').build(), status: { printableStatus: 'Running', created: true } };
const printed = (change: object): VirtualMachine => ({
  ...vm,
  metadata: { ...vm.metadata, resourceVersion: '8' },
  status: { ...vm.status, ...change },
});

describe('a VM that is printed otherwise', () => {
  it('is no news to its controller, which wrote that', () => {
    expect(isPrintedNews(vm, printed({ printableStatus: 'Migrating' }))).toBe(true);
  });

  it('is news where anything else has changed, or where it was printed for the first time', () => {
    expect(isPrintedNews(vm, printed({ created: undefined }))).toBe(false);
    expect(isPrintedNews(vm, { ...printed({}), spec: {} })).toBe(false);
    expect(isPrintedNews(vm, { ...vm, metadata: { ...vm.metadata, labels: {} } })).toBe(false);
    expect(isPrintedNews({ ...vm, status: {} }, { ...vm, status: { printableStatus: 'Stopped' } })).toBe(
      false,
    );
  });
});

describe('a VMI', () => {
  const vmi = aVmi('db').on('n1').build();
  const with_ = (status: object): Vmi => ({ ...vmi, status: { ...vmi.status, ...status } });

  it('is no news where its VM shows none of it', () => {
    expect(isNoNewsForVm(vmi, with_({ activePods: {} }))).toBe(true);
    expect(isNoNewsForVm(vmi, with_({ migrationState: { targetNode: 'n2' } }))).toBe(true);
  });

  it('is news when it comes, goes, is another one, or moves', () => {
    expect(isNoNewsForVm(undefined, vmi)).toBe(false);
    expect(isNoNewsForVm(vmi, undefined)).toBe(false);
    expect(isNoNewsForVm(vmi, { ...vmi, metadata: { ...vmi.metadata, uid: 'other' } })).toBe(false);
    expect(isNoNewsForVm(vmi, with_({ migrationState: { completed: true } }))).toBe(false);
    expect(isNoNewsForVm(vmi, with_({ phase: 'Succeeded' }))).toBe(false);
    expect(isNoNewsForVm(vmi, with_({ conditions: [] }))).toBe(false);
  });
});
