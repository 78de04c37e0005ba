import { describe, expect, it } from 'vitest';
import { aForecast } from './builders.ts';
import { groupRemedies, whom, whyOf } from './remedies.ts';

const stop = (name: string, namespace: string) => ({
  remedies: [`Stop it: virtctl stop ${name} -n ${namespace}`],
});

describe('groupRemedies', () => {
  it('puts together what differs in the name of the VM only, in the words of the first', () => {
    const { vms } = aForecast()
      .with('shop/db-0', 'Blocks', stop('db-0', 'shop'))
      .with('shop/db-1', 'Blocks', stop('db-1', 'shop'))
      .with('ci/db', 'Blocks', stop('other', 'ci'))
      .with('ci/calm', 'LiveMigrates')
      .build().status;
    expect(groupRemedies(vms)).toEqual([
      { remedies: ['Stop it: virtctl stop db-0 -n shop'], vms: ['shop/db-0', 'shop/db-1'] },
      { remedies: ['Stop it: virtctl stop other -n ci'], vms: ['ci/db'] },
    ]);
  });

  it('names whom it helps', () => {
    expect(whom({ remedies: [], vms: ['a/b'] })).toBe('a/b');
    expect(whom({ remedies: [], vms: ['a/b', 'a/c'] })).toBe('a/b, and in the same way a/c');
  });
});

it.each([
  ['a/b is evicted', 'is evicted'],
  ['a/b-1 is evicted', 'a/b-1 is evicted'],
  ['It is evicted', 'It is evicted'],
])('beside the name, "%s" reads "%s"', (message, why) => {
  const [vm] = aForecast().with('a/b', 'Restarts', { message }).build().status.vms;
  expect(vm && whyOf(vm)).toBe(why);
});
