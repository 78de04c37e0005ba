import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aPod, aVmi } from '../kubevirt/builders.ts';
import { currentPod } from './current-pod.ts';

const vmi = aVmi('db').on('n1').build();
const pod = (name: string) => aPod(name).launcherOf(vmi).on('n1').createdAt('2026-03-01T10:00:00Z');
const nameOf = (...pods: ReturnType<typeof pod>[]) =>
  currentPod(
    vmi,
    pods.map((one) => one.build()),
  )?.metadata.name;

describe('the current pod of a VMI', () => {
  it.each([
    ['the one that it controls on its node', [pod('a')], 'a'],
    ['not one on another node', [pod('a').on('n2')], undefined],
    [
      'not one without controller, whatever its label says',
      [pod('a').meta({ ownerReferences: [] })],
      undefined,
    ],
    ['not one in another namespace', [pod('a').meta({ namespace: 'ci' })], undefined],
    ['the newest', [pod('a'), pod('b').createdAt('2026-03-01T10:00:01Z'), pod('c')], 'b'],
    [
      'the newest, though it has ended',
      [pod('a'), pod('b').createdAt('2026-03-01T11:00:00Z').phase('Failed')],
      'b',
    ],
    ['the first of equally old ones', [pod('a'), pod('b')], 'a'],
    [
      'one with a creation time before one without',
      [pod('a').meta({ creationTimestamp: undefined }), pod('b')],
      'b',
    ],
    ['none of none', [], undefined],
  ])('is %s', (_, pods, name) => {
    expect(nameOf(...pods)).toBe(name);
  });

  it('is the newest on any node while the VMI has none', () => {
    const pods = [pod('a'), pod('b').on('n2').createdAt('2026-03-01T10:00:01Z')].map((one) => one.build());
    expect(currentPod(aVmi('db').build(), pods)?.metadata.name).toBe('b');
    expect(currentPod(aVmi('db').status({ nodeName: '' }).build(), pods)?.metadata.name).toBe('b');
  });

  it('is found for bare objects too', () => {
    const bare = { metadata: { name: 'db', namespace: 'shop', uid: 'uid-db' } };
    const unscheduled = { metadata: pod('a').build().metadata };
    expect(currentPod(bare, [unscheduled])).toBe(unscheduled);
    expect(currentPod(vmi, [unscheduled])).toBeUndefined();
    const undated = pod('b').meta({ creationTimestamp: undefined }).build();
    expect(currentPod(vmi, [pod('a').build(), undated])?.metadata.name).toBe('a');
  });

  it('is none for a VMI without UID, even beside a pod whose controller has none', () => {
    const nameless = aVmi('db').on('n1').meta({ uid: undefined }).build();
    expect(currentPod(nameless, [aPod().launcherOf(nameless).on('n1').build()])).toBeUndefined();
  });

  it('does not depend on the order where all are of different age', () => {
    const ages = fc.uniqueArray(fc.integer({ min: 10, max: 59 }), { minLength: 1 });
    fc.assert(
      fc.property(ages, (seconds) => {
        const names = seconds.map((second) => pod(`p${second}`).createdAt(`2026-03-01T10:00:${second}Z`));
        expect(nameOf(...names)).toBe(`p${Math.max(...seconds)}`);
      }),
    );
  });
});
