import { describe, expect, it } from 'vitest';
import { aVm, aVmi } from '../../kubevirt/builders.ts';
import { applyLiveEdit } from './apply.ts';
import type { LiveEdit } from './edit.ts';
import { decideLiveEdit } from './live-edit.ts';
import { hotPlug, noChange, refused, restartRequired } from './result.ts';

const vm = aVm()
  .template({ domain: { cpu: { sockets: 1, cores: 2 } } })
  .condition('Ready')
  .build();
const vmi = aVmi()
  .spec({ domain: { cpu: { sockets: 1, cores: 2, maxSockets: 4 } } })
  .condition('Ready', 'True')
  .build();
const edit: LiveEdit = { path: 'cpu.sockets', value: 2 };
const editedVm = {
  ...vm,
  spec: { ...vm.spec, template: { spec: { domain: { cpu: { sockets: 2, cores: 2 } } } } },
};

describe('applyLiveEdit', () => {
  it('a hot-plug reaches the VMI, with its condition', () => {
    expect(applyLiveEdit({ vm, vmi }, edit, hotPlug('', 'HotVCPUChange'))).toEqual({
      vm: editedVm,
      vmi: {
        ...vmi,
        spec: { domain: { cpu: { sockets: 2, cores: 2, maxSockets: 4 } } },
        status: {
          ...vmi.status,
          conditions: [...(vmi.status?.conditions ?? []), { type: 'HotVCPUChange', status: 'True' }],
        },
      },
    });
  });

  it('a hot-plug without condition reaches the spec alone', () => {
    const placed: LiveEdit = { path: 'nodeSelector', value: { a: 'b' } };
    const edited = applyLiveEdit({ vm, vmi }, placed, hotPlug(''));
    expect(edited.vmi).toEqual({ ...vmi, spec: { ...vmi.spec, nodeSelector: { a: 'b' } } });
    expect(edited.vm.spec?.template?.spec?.nodeSelector).toEqual({ a: 'b' });
  });

  it('a required restart is noted on the VM, and the VMI is left alone', () => {
    const edited = applyLiveEdit({ vm, vmi }, edit, restartRequired('why'));
    expect(edited.vmi).toBe(vmi);
    expect(edited.vm).toEqual({
      ...editedVm,
      status: {
        conditions: [
          ...(vm.status?.conditions ?? []),
          { type: 'RestartRequired', status: 'True', message: 'why' },
        ],
      },
    });
  });

  it('a condition takes the place of the one before', () => {
    const noted = aVm().condition('RestartRequired', 'True', undefined, 'old').condition('Ready').build();
    const { conditions } = applyLiveEdit({ vm: noted, vmi }, edit, restartRequired('new')).vm.status ?? {};
    expect(conditions?.map(({ type, message }) => [type, message])).toEqual([
      ['RestartRequired', 'new'],
      ['Ready', undefined],
    ]);
  });

  it('an edit that changes nothing that runs stands in the template', () => {
    expect(applyLiveEdit({ vm, vmi }, edit, noChange(''))).toEqual({ vm: editedVm, vmi });
    expect(applyLiveEdit({ vm, vmi: undefined }, edit, noChange(''))).toEqual({
      vm: editedVm,
      vmi: undefined,
    });
    expect(applyLiveEdit({ vm, vmi: undefined }, edit, hotPlug('', 'HotVCPUChange')).vmi).toBeUndefined();
  });

  it('a refused edit changes nothing at all', () => {
    expect(applyLiveEdit({ vm, vmi }, edit, refused('no'))).toEqual({ vm, vmi });
  });

  it('keeps the labels of the template, and makes one where there is none', () => {
    const labelled = aVm()
      .spec({ template: { metadata: { labels: { a: 'b' } }, spec: {} } })
      .build();
    expect(applyLiveEdit({ vm: labelled, vmi }, edit, noChange('')).vm.spec?.template).toEqual({
      metadata: { labels: { a: 'b' } },
      spec: { domain: { cpu: { sockets: 2 } } },
    });
    const empty = { metadata: { name: 'db' } };
    expect(applyLiveEdit({ vm: empty, vmi }, edit, noChange('')).vm.spec?.template?.spec).toEqual({
      domain: { cpu: { sockets: 2 } },
    });
  });

  it('makes the same edit a no-op the second time', () => {
    const input = { vm, vmi, edit, rolloutStrategy: 'LiveUpdate', now: 0 };
    const edited = applyLiveEdit(input, edit, decideLiveEdit(input).result);
    expect(decideLiveEdit({ ...input, ...edited }).reason).toBe('SameValue');
  });

  it('leaves what it is given alone', () => {
    const before = structuredClone({ vm, vmi });
    applyLiveEdit({ vm, vmi }, edit, hotPlug('', 'HotVCPUChange'));
    applyLiveEdit({ vm, vmi }, edit, restartRequired('why'));
    expect({ vm, vmi }).toEqual(before);
  });
});
