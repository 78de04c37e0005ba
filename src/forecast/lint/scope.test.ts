import { describe, expect, it } from 'vitest';
import { aKubeVirt, aNode, aVm, aVmi } from '../../kubevirt/builders.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import { parseSelector } from '../../kubevirt/selector.ts';
import type { Scope } from '../questions.ts';
import { aFleet, controlled, launched } from './builders.ts';
import type { LintRule } from './finding.ts';
import { lint } from './lint.ts';
import { found, refsOf } from './words.ts';

const named = (name: string, namespace?: string) => ({ metadata: { name, namespace } });
const FACTS = { code: 'DRV1', name: 'Trap', severity: 'error', title: 't', explains: '', needs: [] } as const;

/** A rule that finds all these objects of a kind, and tells their number, the first and all of them. */
function ruleAbout(
  kind: Parameters<typeof found>[0],
  ...objects: readonly ReturnType<typeof named>[]
): LintRule {
  const find = () =>
    found(
      kind,
      objects,
      (object) => object,
      (first, count, all) => ({
        cause: `${count} as ${first.metadata.name} of ${all.map(({ metadata }) => metadata.name)}`,
        cure: `mend ${first.metadata.name}`,
        evidence: [{ object: first.metadata.name, path: 'p', value: 1 }],
      }),
    );
  return { ...FACTS, find };
}

const [vmi, pod] = launched(controlled(aVmi('db', 'shop').on('n1').labelled('tier', 'data').build()));
const budget = (name: string, namespace: string, labels?: Record<string, string>) => ({
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace, labels },
  spec: { minAvailable: 1, selector: { matchLabels: { 'kubevirt.io/created-by': vmi.metadata.uid ?? '' } } },
});
const fleet = aFleet(
  vmi,
  {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...pod.metadata.labels, 'kubevirt.io/created-by': vmi.metadata.uid ?? '' },
    },
  },
  aVm('db', 'shop').labelled('app', 'db').build(),
  aVmi('web', 'shop').on('n1').labelled('tier', 'front').build(),
  aVmi('run', 'ci').on('n1').labelled('tier', 'data').build(),
  aNode('n1').build(),
  budget('over-db', 'shop'),
  { ...budget('of-nothing', 'shop', { tier: 'data' }), spec: {} },
  { ...budget('of-others', 'shop'), spec: {} },
);

const VMIS = ruleAbout(
  'VirtualMachineInstance',
  named('run', 'ci'),
  named('db', 'shop'),
  named('web', 'shop'),
);
const about = (rule: LintRule, scope: Scope) => lint(fleet, { scope }, [rule]);

describe('a scope', () => {
  it.each<[string, Scope, string[]]>([
    ['nothing', {}, ['ci/run', 'shop/db', 'shop/web']],
    ['a namespace', { namespace: 'shop' }, ['shop/db', 'shop/web']],
    ['labels of VMIs', { selector: parseSelector('tier=data') }, ['ci/run', 'shop/db']],
    ['a label of the VM', { selector: parseSelector('app=db') }, ['shop/db']],
    ['both', { namespace: 'shop', selector: parseSelector('tier=data') }, ['shop/db']],
    ['every label', { selector: parseSelector('') }, ['ci/run', 'shop/db', 'shop/web']],
  ])('of %s leaves the VMIs in it', (_, scope, left) => {
    const [finding] = about(VMIS, scope).status.findings;
    expect(finding?.objects).toEqual(left.map((key) => `VirtualMachineInstance ${key}`));
  });

  it('has findings speak of what is left', () => {
    expect(about(VMIS, { namespace: 'shop' }).status.findings[0]).toMatchObject({
      cause: '2 as db of db,web',
      cure: 'mend db',
      evidence: [{ object: 'db', path: 'p', value: 1 }],
    });
  });

  it('drops a finding of which nothing is left, and counts what is left', () => {
    const { status, spec } = about(VMIS, { namespace: 'lab' });
    expect(status.findings).toEqual([]);
    expect(status.counts).toEqual({ error: 0, warning: 0, info: 0 });
    expect(status.summary).toBe('No traps found.');
    expect(spec.rulesChecked).toBe(1);
  });

  it('stands in the report', () => {
    const selector = parseSelector('tier=data');
    expect(about(VMIS, { namespace: 'shop', selector }).spec).toMatchObject({ namespace: 'shop', selector });
    expect(Object.keys(about(VMIS, {}).spec)).toEqual(['kubevirtVersion', 'rulesChecked']);
  });

  const everywhere = { namespace: 'lab', selector: parseSelector('a=b') };
  it.each([
    ['nodes', ruleAbout('Node', named('n1'))],
    ['volumes', ruleAbout('PersistentVolume', named('pv-1'))],
    ['the KubeVirt object', ruleAbout('KubeVirt', named('kubevirt', 'kubevirt'))],
    [
      'findings about no object',
      { ...FACTS, find: () => [{ objects: [], cause: '', cure: '', evidence: [] }] },
    ],
    [
      'findings that cannot be cut down',
      {
        ...FACTS,
        find: () => [{ objects: refsOf('Pod', [named('p', 'x')]), cause: '', cure: '', evidence: [] }],
      },
    ],
  ])('leaves %s in every scope', (_, rule) => {
    expect(about(rule, everywhere).status.findings).toEqual(about(rule, {}).status.findings);
  });

  it('leaves budgets that select the pod of a VM in it, or have its labels themselves', () => {
    const budgets = ruleAbout(
      'PodDisruptionBudget',
      named('of-nothing', 'shop'),
      named('of-others', 'shop'),
      named('over-db', 'shop'),
      named('unheard-of', 'shop'),
    );
    const left = (scope: Scope) => about(budgets, scope).status.findings.flatMap(({ objects }) => objects);
    expect(left({ selector: parseSelector('tier=data') })).toEqual([
      'PodDisruptionBudget shop/of-nothing',
      'PodDisruptionBudget shop/over-db',
    ]);
    expect(left({ selector: parseSelector('tier=front') })).toEqual([]);
  });

  it('leaves workers by the VM of their name', () => {
    const workers = ruleAbout('KubevirtMachine', named('db', 'shop'), named('other', 'shop'));
    expect(about(workers, { selector: parseSelector('app=db') }).status.findings[0]?.objects).toEqual([
      'KubevirtMachine shop/db',
    ]);
  });
});

describe('the rules within a scope', () => {
  const refusing = (name: string, namespace: string): Vmi =>
    controlled(
      aVmi(name, namespace).on('n1').migratable('False').spec({ evictionStrategy: 'LiveMigrate' }).build(),
    );
  const cluster = aFleet(
    aKubeVirt().methods('Evict', 'Migrate').build(),
    aNode('n1').build(),
    ...[refusing('a', 'ci'), refusing('b', 'shop'), refusing('c', 'shop')].flatMap(launched),
  );

  it('name no object outside of it', () => {
    const { findings } = lint(cluster, { now: 0, scope: { namespace: 'shop' } }).status;
    const refused = findings.find(({ name }) => name === 'DrainRefused');
    expect(refused?.objects).toEqual(['VirtualMachineInstance shop/b', 'VirtualMachineInstance shop/c']);
    expect(refused?.cause).toMatch(/^2 VMIs have strategy LiveMigrate .*; shop\/b: /);
    expect(JSON.stringify(findings)).not.toMatch(/ci\/a|-n ci/);
  });

  it('still tell what concerns all', () => {
    const { findings } = lint(cluster, { now: 0, scope: { namespace: 'lab' } }).status;
    expect(findings.map(({ name }) => name)).toContain('UnknownUpdateMethod');
  });

  it('count and list only what is in it', () => {
    const marked = (name: string, namespace: string, node: string) =>
      aVmi(name, namespace).on(node).migratable().strategy('LiveMigrate').marked().build();
    const external = (namespace: string) =>
      aVmi('worker', namespace).on('n1').strategy('External').marked().build();
    const crowd = aFleet(
      ...['n1', 'n2'].map((node) => aNode(node).build()),
      ...[marked('a', 'ci', 'n1'), marked('b', 'shop', 'n2'), external('ci'), external('shop')],
    );
    const causes = lint(crowd, { now: 0, scope: { namespace: 'shop' } }).status.findings.map(
      ({ name, cause }) => `${name}: ${cause}`,
    );
    expect(causes).toContainEqual(expect.stringMatching(/^MarkLeftBehind: 1 VMI on n2 is still marked/));
    expect(causes).toContainEqual(
      expect.stringMatching(/^ExternalWithoutController: 1 VMI .* the 1 that is marked now\.$/),
    );
  });
});
