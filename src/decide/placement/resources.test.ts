import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aPod } from '../../kubevirt/builders.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import {
  amountOf,
  amountsOf,
  loadOf,
  minus,
  plus,
  podLimits,
  podRequests,
  requestsOf,
  tellAmount,
} from './resources.ts';

const asObject = (amounts: ReadonlyMap<string, number>) => Object.fromEntries(amounts);
const container = (name: string, requests: Record<string, string>, limits?: Record<string, string>) => ({
  name,
  resources: { requests, limits },
});
const sidecar = (name: string, requests: Record<string, string>) => ({
  ...container(name, requests),
  restartPolicy: 'Always',
});

describe('an amount', () => {
  it.each`
    resource                     | quantity     | amount
    ${'cpu'}                     | ${'2'}       | ${2000}
    ${'cpu'}                     | ${'100m'}    | ${100}
    ${'cpu'}                     | ${'0.07'}    | ${70}
    ${'cpu'}                     | ${'4.35'}    | ${4350}
    ${'cpu'}                     | ${'100u'}    | ${1}
    ${'cpu'}                     | ${2}         | ${2000}
    ${'limits.cpu'}              | ${'1'}       | ${1000}
    ${'requests.cpu'}            | ${'1'}       | ${1000}
    ${'example.org/cpu'}         | ${'3'}       | ${3}
    ${'memory'}                  | ${'332Mi'}   | ${348127232}
    ${'memory'}                  | ${'256Gi'}   | ${274877906944}
    ${'memory'}                  | ${'1500m'}   | ${2}
    ${'memory'}                  | ${'1e3'}     | ${1000}
    ${'devices.kubevirt.io/kvm'} | ${'1k'}      | ${1000}
    ${'pods'}                    | ${110}       | ${110}
    ${'memory'}                  | ${undefined} | ${0}
    ${'memory'}                  | ${'lots'}    | ${0}
  `('$quantity of $resource is $amount', ({ resource, quantity, amount }) => {
    expect(amountOf(resource, quantity)).toBe(amount);
  });

  it('keeps every whole number of millicores', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (milli) => {
        expect(amountOf('cpu', `${milli}m`)).toBe(milli);
        expect(amountOf('cpu', `${milli / 1000}`)).toBe(milli);
      }),
    );
  });

  it('reads a list, and nothing as an empty one', () => {
    expect(asObject(amountsOf({ cpu: '1', memory: '1Ki' }))).toEqual({ cpu: 1000, memory: 1024 });
    expect(asObject(amountsOf(undefined))).toEqual({});
  });
});

describe('sums', () => {
  const a = new Map([
    ['cpu', 3],
    ['memory', 5],
  ]);
  const b = new Map([
    ['cpu', 1],
    ['pods', 1],
  ]);
  it('adds and subtracts name by name, an absent one as 0', () => {
    expect(asObject(plus(a, b))).toEqual({ cpu: 4, memory: 5, pods: 1 });
    expect(asObject(minus(a, b))).toEqual({ cpu: 2, memory: 5, pods: -1 });
  });
  it('leaves its operands alone', () => {
    plus(a, b);
    expect(asObject(a)).toEqual({ cpu: 3, memory: 5 });
  });
});

describe('what a pod reserves', () => {
  it.each<[string, NonNullable<Pod['spec']>, Record<string, number>]>([
    ['nothing without containers', {}, {}],
    [
      'its containers together',
      { containers: [container('a', { cpu: '1' }), container('b', { cpu: '2', memory: '1Ki' })] },
      { cpu: 3000, memory: 1024 },
    ],
    [
      'a limit where no request is written',
      { containers: [container('a', {}, { cpu: '1' })] },
      { cpu: 1000 },
    ],
    [
      'the request where both are written',
      { containers: [container('a', { cpu: '1' }, { cpu: '4', 'x/y': '1' })] },
      { cpu: 1000, 'x/y': 1 },
    ],
    [
      'a large init container alone',
      { containers: [container('a', { cpu: '1' })], initContainers: [container('i', { cpu: '4' })] },
      { cpu: 4000 },
    ],
    [
      'the containers, if they are larger',
      { containers: [container('a', { cpu: '5' })], initContainers: [container('i', { cpu: '4' })] },
      { cpu: 5000 },
    ],
    [
      'the largest of the init containers, not their sum',
      { initContainers: [container('i', { cpu: '2' }), container('j', { cpu: '3' })] },
      { cpu: 3000 },
    ],
    [
      'per resource the larger side',
      {
        containers: [container('a', { cpu: '1', memory: '9' })],
        initContainers: [container('i', { cpu: '4', memory: '1' })],
      },
      { cpu: 4000, memory: 9 },
    ],
    [
      'sidecars with the containers',
      { containers: [container('a', { cpu: '1' })], initContainers: [sidecar('s', { cpu: '2' })] },
      { cpu: 3000 },
    ],
    [
      'an init container with the sidecars before it',
      {
        containers: [container('a', { cpu: '1' })],
        initContainers: [sidecar('s', { cpu: '2' }), container('i', { cpu: '4' })],
      },
      { cpu: 6000 },
    ],
    [
      'an init container without the sidecars after it',
      {
        containers: [container('a', { cpu: '1' })],
        initContainers: [container('i', { cpu: '4' }), sidecar('s', { cpu: '2' })],
      },
      { cpu: 4000 },
    ],
    [
      'several sidecars',
      {
        containers: [container('a', { cpu: '1' })],
        initContainers: [sidecar('s', { cpu: '2' }), sidecar('t', { cpu: '3' })],
      },
      { cpu: 6000 },
    ],
    [
      'the overhead on top',
      { containers: [container('a', { cpu: '1' })], overhead: { cpu: '250m', memory: '4' } },
      { cpu: 1250, memory: 4 },
    ],
    [
      'the request of the whole pod instead of the sum',
      {
        containers: [container('a', { cpu: '1', memory: '7' })],
        resources: { requests: { cpu: '3' } },
        overhead: { cpu: '1' },
      },
      { cpu: 4000, memory: 7 },
    ],
  ])('%s', (_name, spec, reserved) => {
    expect(asObject(podRequests(aPod().spec(spec).build()))).toEqual(reserved);
  });

  it('is nothing for a pod without a spec', () => {
    expect(asObject(podRequests({ metadata: { name: 'p' } }))).toEqual({});
  });

  it('reads the requests of one container', () => {
    expect(asObject(requestsOf({ name: 'a' }))).toEqual({});
  });
});

describe('what a pod is limited to', () => {
  it.each<[string, NonNullable<Pod['spec']>, Record<string, number>]>([
    [
      'only limits that are written',
      { containers: [container('a', { cpu: '1' }, { memory: '5' })] },
      { memory: 5 },
    ],
    [
      'overhead on limits that are there',
      { containers: [container('a', {}, { memory: '5' })], overhead: { cpu: '1', memory: '2' } },
      { memory: 7 },
    ],
    [
      'the limit of the whole pod',
      { containers: [container('a', {}, { memory: '5' })], resources: { limits: { memory: '9' } } },
      { memory: 9 },
    ],
  ])('%s', (_name, spec, limited) => {
    expect(asObject(podLimits(aPod().spec(spec).build()))).toEqual(limited);
  });
});

describe('the load of a node', () => {
  const pod = () => aPod().asking({ cpu: '1' });
  it.each([
    ['nothing', [], {}],
    ['unfinished pods', [pod().build(), pod().phase('Pending').build()], { cpu: 2000, pods: 2 }],
    ['pods being deleted', [pod().deleting().build()], { cpu: 1000, pods: 1 }],
    ['no succeeded pods', [pod().phase('Succeeded').build()], {}],
    ['no failed pods', [pod().phase('Failed').build(), pod().build()], { cpu: 1000, pods: 1 }],
  ])('counts %s', (_name, pods, load) => {
    expect(asObject(loadOf(pods))).toEqual(load);
  });
});

describe('an amount told', () => {
  it.each`
    resource                        | amount        | told
    ${'cpu'}                        | ${1500}       | ${'1500m'}
    ${'cpu'}                        | ${2000}       | ${'2'}
    ${'requests.cpu'}               | ${0}          | ${'0'}
    ${'memory'}                     | ${0}          | ${'0'}
    ${'memory'}                     | ${1023}       | ${'1023'}
    ${'memory'}                     | ${1024}       | ${'1Ki'}
    ${'memory'}                     | ${3758096384} | ${'3.5Gi'}
    ${'requests.memory'}            | ${348127232}  | ${'332Mi'}
    ${'memory'}                     | ${-2048}      | ${'-2Ki'}
    ${'limits.ephemeral-storage'}   | ${50000000}   | ${'47.7Mi'}
    ${'hugepages-2Mi'}              | ${2 ** 31}    | ${'2Gi'}
    ${'memory'}                     | ${2 ** 71}    | ${'2048Ei'}
    ${'pods'}                       | ${2048}       | ${'2048'}
    ${'devices.kubevirt.io/kvm'}    | ${1}          | ${'1'}
    ${'memory.example.org/bananas'} | ${4096}       | ${'4096'}
  `('$amount of $resource as $told', ({ resource, amount, told }) => {
    expect(tellAmount(resource, amount)).toBe(told);
  });
});
