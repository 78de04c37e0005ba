import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { aKubeVirt, aVmi } from '../../kubevirt/builders.ts';
import { controlled } from './builders.ts';
import {
  inNamespaceOf,
  patchKubeVirt,
  patchVm,
  restart,
  setStrategy,
  shellWord,
  stop,
  target,
} from './commands.ts';

const standalone = aVmi('db').build();
const owned = controlled(standalone);

it.each([
  ['target', target(owned), '-n shop db'],
  ['target in no namespace', target({ metadata: { name: 'n1' } }), '-n default n1'],
  ['inNamespaceOf', inNamespaceOf(owned), '-n shop'],
  ['stop', stop(owned), '`virtctl stop -n shop db`'],
  ['stop without VM', stop(standalone), '`kubectl delete vmi -n shop db`'],
  ['restart', restart(owned), '`virtctl restart -n shop db`'],
  ['restart without VM', restart(standalone), '`kubectl delete vmi -n shop db` and create it again'],
  ['patchVm', patchVm(owned, { a: 1 }), `\`kubectl patch vm -n shop db --type merge -p '{"spec":{"a":1}}'\``],
  [
    'setStrategy',
    setStrategy(owned, 'None'),
    `\`kubectl patch vm -n shop db --type merge -p '{"spec":{"template":{"spec":{"evictionStrategy":"None"}}}}'\``,
  ],
  [
    'patchKubeVirt',
    patchKubeVirt(aKubeVirt('kv', 'ns').build(), { b: [] }),
    `\`kubectl patch kubevirt -n ns kv --type merge -p '{"spec":{"b":[]}}'\``,
  ],
])('%s', (_, written, expected) => {
  expect(written).toBe(expected);
});

it.each([
  ['vm-1.shop', 'vm-1.shop'],
  ['a/b:c_d', 'a/b:c_d'],
  ['', "''"],
  ['two words', "'two words'"],
  ['$(id)', "'$(id)'"],
  ["it's", `'it'\\''s'`],
])('shellWord(%j)', (name, word) => {
  expect(shellWord(name)).toBe(word);
});

it('a shell reads any name back as it is', () => {
  const names = fc.sample(
    fc.string({ unit: 'binary', minLength: 1 }).filter((name) => !name.includes('\0')),
    40,
  );
  const script = names.map((name) => `printf '%s\\0' ${shellWord(name)}`).join('\n');
  const read = execFileSync('/bin/sh', ['-c', script]).toString().split('\0').slice(0, -1);
  expect(read).toEqual(names);
});
