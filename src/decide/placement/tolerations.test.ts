import { describe, expect, it } from 'vitest';
import { tellTaint, tolerates } from './tolerations.ts';

const taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };

describe('a toleration', () => {
  it.each([
    [
      'Equal with key, value and effect',
      { key: 'gpu', operator: 'Equal', value: 'yes', effect: 'NoSchedule' },
      true,
    ],
    ['no operator means Equal', { key: 'gpu', value: 'yes', effect: 'NoSchedule' }, true],
    ['an empty operator means Equal', { key: 'gpu', operator: '', value: 'yes' }, true],
    ['another value', { key: 'gpu', value: 'no', effect: 'NoSchedule' }, false],
    ['no value', { key: 'gpu', effect: 'NoSchedule' }, false],
    ['Exists with the key', { key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }, true],
    ['Exists with another key', { key: 'cpu', operator: 'Exists', effect: 'NoSchedule' }, false],
    ['Exists without key covers all', { operator: 'Exists' }, true],
    ['Exists without key, other effect', { operator: 'Exists', effect: 'NoExecute' }, false],
    ['no effect covers all effects', { key: 'gpu', operator: 'Exists' }, true],
    ['an empty effect covers all effects', { key: 'gpu', operator: 'Exists', effect: '' }, true],
    ['another effect', { key: 'gpu', operator: 'Exists', effect: 'NoExecute' }, false],
    ['an unknown operator', { key: 'gpu', operator: 'Gt', value: 'yes' }, false],
  ])('%s', (_name, toleration, tolerated) => {
    expect(tolerates([toleration], taint)).toBe(tolerated);
  });

  it('of several, one is enough; none tolerates nothing', () => {
    const other = { key: 'cpu', operator: 'Exists' };
    expect(tolerates([other, { key: 'gpu', operator: 'Exists' }], taint)).toBe(true);
    expect(tolerates([other], taint)).toBe(false);
    expect(tolerates([], taint)).toBe(false);
    expect(tolerates(undefined, taint)).toBe(false);
  });

  it('takes an absent value and an empty one as the same', () => {
    expect(tolerates([{ key: 'k' }], { key: 'k', effect: 'NoSchedule' })).toBe(true);
    expect(tolerates([{ key: 'k', value: '' }], { key: 'k', effect: 'NoSchedule' })).toBe(true);
  });
});

describe('a taint told', () => {
  it.each([
    [{ key: 'a', effect: 'NoSchedule' }, 'a:NoSchedule'],
    [{ key: 'a', value: '', effect: 'NoExecute' }, 'a:NoExecute'],
    [{ key: 'a', value: 'b', effect: 'NoExecute' }, 'a=b:NoExecute'],
  ])('%o', (told, text) => {
    expect(tellTaint(told)).toBe(text);
  });
});
