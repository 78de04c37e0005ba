import { describe, expect, it } from 'vitest';
import { aForecast } from './builders.ts';
import { SORT_KEYS, sorted } from './order.ts';

const { vms } = aForecast()
  .with('a/vm-3', 'Blocks', { node: undefined, reason: 'C' })
  .with('b/vm-10', 'Restarts', { node: 'n2', reason: 'B' })
  .with('b/vm-2', 'Restarts', { node: 'n10', reason: 'A' })
  .build().status;

describe('sorted', () => {
  it.each([
    ['outcome', ['vm-3', 'vm-10', 'vm-2']],
    ['namespace', ['vm-3', 'vm-10', 'vm-2']],
    ['name', ['vm-10', 'vm-2', 'vm-3']],
    ['node', ['vm-3', 'vm-2', 'vm-10']],
    ['reason', ['vm-2', 'vm-10', 'vm-3']],
  ] as const)('by %s', (key, names) => {
    expect(sorted(vms, key).map((vm) => vm.name)).toEqual(names);
  });

  it('knows every key', () => {
    for (const key of SORT_KEYS) expect(sorted(vms, key)).toHaveLength(3);
  });
});
