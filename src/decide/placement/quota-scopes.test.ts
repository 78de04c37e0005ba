import { describe, expect, it } from 'vitest';
import { aPod } from '../../kubevirt/builders.ts';
import type { Pod, ResourceQuota } from '../../kubevirt/objects.ts';
import { appliesTo } from './quota-scope.ts';
import { judge, named, pod, quota } from './test-quota.ts';

describe('what a quota wants to be specified', () => {
  const bare = aPod()
    .spec({ containers: [{ name: 'b' }, { name: 'a' }], initContainers: [{ name: 'a' }] })
    .build();
  const roomy = (...resources: string[]) => {
    const amounts = (value: string) => Object.fromEntries(resources.map((resource) => [resource, value]));
    return quota(amounts('99Gi'), amounts('0'));
  };
  it('refuses in the words of the API server', () => {
    expect(judge([roomy('requests.memory', 'limits.cpu', 'pods')], { pod: bare }).refusal).toEqual({
      quota: 'q',
      reason: 'QuotaMustSpecify',
      message: 'failed quota: q: must specify limits.cpu for: a,b; requests.memory for: a,b',
      evidence: [
        { object: 'ResourceQuota shop/q', path: 'status.hard[limits.cpu]', value: '99Gi' },
        { object: 'ResourceQuota shop/q', path: 'status.hard[requests.memory]', value: '99Gi' },
      ],
    });
  });

  it.each`
    resource                        | refused
    ${'cpu'}                        | ${true}
    ${'memory'}                     | ${true}
    ${'requests.cpu'}               | ${true}
    ${'requests.memory'}            | ${true}
    ${'limits.cpu'}                 | ${true}
    ${'limits.memory'}              | ${true}
    ${'requests.ephemeral-storage'} | ${false}
    ${'pods'}                       | ${false}
  `('a container without $resource is refused: $refused', ({ resource, refused }) => {
    expect(judge([roomy(resource)], { pod: bare }).refusal !== undefined).toBe(refused);
  });

  it('names only the containers that lack it', () => {
    const one = aPod().asking({ cpu: '1' }).asking({}, { cpu: '1' }).asking({ memory: '1' }).build();
    expect(judge([roomy('cpu')], { pod: one }).refusal?.message).toBe(
      'failed quota: q: must specify cpu for: c2',
    );
    expect(judge([roomy('limits.cpu')], { pod: one }).refusal?.message).toBe(
      'failed quota: q: must specify limits.cpu for: c0,c2',
    );
  });

  it('comes before the arithmetic of any quota', () => {
    const full = named('a', quota({ pods: '1' }, { pods: '1' }));
    expect(judge([full, roomy('limits.cpu')], { pod: bare }).refusal?.quota).toBe('q');
  });

  it('says nothing of limits that KubeVirt works out itself', () => {
    const missing = ['limits that KubeVirt will give the next launcher, for ResourceQuota shop/q'];
    expect(judge([roomy('limits.cpu')], { pod: bare, limitsAreAutomatic: true })).toEqual({
      refusal: undefined,
      missing,
    });
    expect(judge([roomy('limits.cpu', 'cpu')], { pod: bare, limitsAreAutomatic: true }).refusal?.reason).toBe(
      'QuotaMustSpecify',
    );
    expect(judge([roomy('limits.memory')], { limitsAreAutomatic: true })).toEqual({
      refusal: undefined,
      missing: [],
    });
  });
});

describe('the scopes of a quota', () => {
  const effortless = aPod()
    .spec({ containers: [{ name: 'c', resources: { requests: { cpu: '0', 'x/y': '1' } } }] })
    .build();
  const ending = aPod().spec({ activeDeadlineSeconds: 0 }).build();
  const gold = aPod().spec({ priorityClassName: 'gold' }).build();
  const elsewhere = (term: object, kind: 'podAffinity' | 'podAntiAffinity' = 'podAffinity') =>
    aPod()
      .spec({
        affinity: {
          [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', ...term }] },
        },
      })
      .build();
  const selector = (scopeName: string, operator: string, values?: string[]) => ({
    scopeSelector: { matchExpressions: [{ scopeName, operator, values }] },
  });
  it.each<[string, NonNullable<ResourceQuota['spec']> | undefined, Pod, boolean]>([
    ['none', {}, pod, true],
    ['no spec', undefined, pod, true],
    ['NotTerminating fits a launcher', { scopes: ['NotTerminating'] }, pod, true],
    ['Terminating does not', { scopes: ['Terminating'] }, pod, false],
    ['Terminating fits a pod with a deadline', { scopes: ['Terminating'] }, ending, true],
    ['NotTerminating does not', { scopes: ['NotTerminating'] }, ending, false],
    [
      'a negative deadline is none',
      { scopes: ['Terminating'] },
      aPod().spec({ activeDeadlineSeconds: -1 }).build(),
      false,
    ],
    ['NotBestEffort fits a launcher', { scopes: ['NotBestEffort'] }, pod, true],
    ['BestEffort does not', { scopes: ['BestEffort'] }, pod, false],
    ['BestEffort fits a pod that asks for no CPU and memory', { scopes: ['BestEffort'] }, effortless, true],
    ['a limit is effort', { scopes: ['BestEffort'] }, aPod().asking({}, { memory: '1' }).build(), false],
    [
      'an init container is effort',
      { scopes: ['BestEffort'] },
      aPod()
        .spec({ initContainers: [{ name: 'i', resources: { requests: { cpu: '1' } } }] })
        .build(),
      false,
    ],
    [
      'a request of the whole pod is effort',
      { scopes: ['BestEffort'] },
      aPod()
        .spec({ resources: { requests: { memory: '1' } } })
        .build(),
      false,
    ],
    ['all scopes must fit', { scopes: ['NotTerminating', 'BestEffort'] }, pod, false],
    [
      'scopes and selector must fit',
      { scopes: ['NotTerminating'], ...selector('BestEffort', 'Exists') },
      pod,
      false,
    ],
    ['PriorityClass: any', { scopes: ['PriorityClass'] }, gold, true],
    ['PriorityClass: none', { scopes: ['PriorityClass'] }, pod, false],
    [
      'PriorityClass: empty is none',
      { scopes: ['PriorityClass'] },
      aPod().spec({ priorityClassName: '' }).build(),
      false,
    ],
    ['PriorityClass In', selector('PriorityClass', 'In', ['gold']), gold, true],
    ['PriorityClass In others', selector('PriorityClass', 'In', ['low']), gold, false],
    ['PriorityClass NotIn', selector('PriorityClass', 'NotIn', ['gold']), pod, true],
    ['PriorityClass DoesNotExist', selector('PriorityClass', 'DoesNotExist'), gold, false],
    [
      'affinity to named namespaces',
      { scopes: ['CrossNamespacePodAffinity'] },
      elsewhere({ namespaces: ['web'] }),
      true,
    ],
    [
      'anti-affinity to selected namespaces',
      { scopes: ['CrossNamespacePodAffinity'] },
      elsewhere({ namespaceSelector: {} }, 'podAntiAffinity'),
      true,
    ],
    ['affinity at home', { scopes: ['CrossNamespacePodAffinity'] }, elsewhere({ namespaces: [] }), false],
    ['a scope of the future', { scopes: ['VolumeAttributesClass'] }, pod, false],
  ])('%s', (_name, spec, of, applies) => {
    expect(appliesTo({ metadata: { name: 'q' }, spec }, of)).toBe(applies);
  });

  it('a quota that does not apply refuses nothing', () => {
    const full = quota({ pods: '1' }, { pods: '1' });
    expect(judge([{ ...full, spec: { ...full.spec, scopes: ['Terminating'] } }]).refusal).toBeUndefined();
  });
});
