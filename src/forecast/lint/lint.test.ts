import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadFleet } from '../../dump/load.ts';
import { Fleet, type Kind } from '../../fleet/fleet.ts';
import { aKubeVirt, aNode, aPod, aVm, aVmi } from '../../kubevirt/builders.ts';
import { KNOWN_KINDS } from '../../kubevirt/kinds.ts';
import { planEvict } from '../plans/evict.ts';
import { jsonView } from '../views/json.ts';
import { aFleet, controlled, launched } from './builders.ts';
import type { Found, LintRule, Severity } from './finding.ts';
import { fails, lint } from './lint.ts';
import { RULES } from './rules.ts';

const PARTS = { cause: 'because', cure: 'do', evidence: [] };

function aRule(
  code: string,
  severity: Severity,
  found: readonly Found[],
  needs: LintRule['needs'] = [],
): LintRule {
  return {
    code,
    name: `Name${code}`,
    severity,
    title: `title ${code}`,
    explains: '',
    needs,
    find: () => found,
  };
}

describe('lint', () => {
  it('puts the words of the rule to what it found, worst first, then by code and first object', () => {
    const rules = [
      aRule('DRV1', 'info', [{ objects: ['a'], ...PARTS }]),
      aRule('DRV3', 'error', [{ objects: [], ...PARTS }]),
      aRule('DRV2', 'error', [
        { objects: ['b', 'c'], ...PARTS },
        { objects: ['a'], ...PARTS },
      ]),
      aRule('DRV4', 'warning', [{ objects: ['z'], ...PARTS }]),
    ];
    const { status, spec } = lint(aFleet(), {}, rules);
    expect(status.findings.map(({ code, objects }) => `${code} ${objects}`)).toEqual([
      'DRV2 a',
      'DRV2 b,c',
      'DRV3 ',
      'DRV4 z',
      'DRV1 a',
    ]);
    expect(status.findings[0]).toEqual({
      ...{ code: 'DRV2', name: 'NameDRV2', severity: 'error', title: 'title DRV2', objects: ['a'] },
      ...PARTS,
    });
    expect(status.counts).toEqual({ error: 3, warning: 1, info: 1 });
    expect(status.summary).toBe('5 findings: 3 errors, 1 warning and 1 for information.');
    expect(spec).toEqual({ kubevirtVersion: '1.9', rulesChecked: 4 });
  });

  it.each<[Severity[], string]>([
    [[], 'No traps found.'],
    [['warning'], '1 finding: 1 warning.'],
    [['info', 'info'], '2 findings: 2 for information.'],
    [['error', 'warning', 'warning'], '3 findings: 1 error and 2 warnings.'],
  ])('sums up %j', (severities, summary) => {
    const rules = severities.map((severity, i) => aRule(`DRV${i}`, severity, [{ objects: [], ...PARTS }]));
    expect(lint(aFleet(), {}, rules).status.summary).toBe(summary);
  });

  it('does not try a rule whose kinds are not known, and names them', () => {
    const fleet = new Fleet();
    fleet.noteKnown('Node');
    const rule = aRule('DRV1', 'error', [{ objects: [], ...PARTS }], ['Pod', 'Node', 'the time']);
    const report = lint(fleet, {}, [rule]);
    expect(report.status.findings).toEqual([]);
    expect(report.status.notChecked).toEqual([
      { code: 'DRV1', name: 'NameDRV1', needs: ['Pod', 'the time'] },
    ]);
    expect(report.spec.rulesChecked).toBe(0);
    fleet.noteKnown('Pod');
    expect(lint(fleet, { now: 0 }, [rule]).status.notChecked).toEqual([]);
  });

  it('finds nothing in an empty cluster, and checks nothing of an unknown one', () => {
    expect(lint(aFleet(), { now: 0 }).status).toMatchObject({ findings: [], notChecked: [] });
    expect(lint(new Fleet()).status.notChecked.map(({ code }) => code)).toEqual(
      RULES.map(({ code }) => code),
    );
  });
});

describe('fails', () => {
  it.each<[Severity, Severity, boolean]>([
    ['error', 'error', true],
    ['warning', 'error', false],
    ['warning', 'warning', true],
    ['error', 'info', true],
    ['info', 'warning', false],
    ['info', 'info', true],
  ])('a report with %s against %s: %s', (severity, failOn, expected) => {
    const report = lint(aFleet(), {}, [aRule('DRV1', severity, [{ objects: [], ...PARTS }])]);
    expect(fails(report, failOn)).toBe(expected);
  });

  it('is content with nothing', () => {
    expect(fails(lint(aFleet(), { now: 0 }), 'info')).toBe(false);
  });
});

describe('the rules', () => {
  it('have codes without gaps, in order', () => {
    const numbers = RULES.map((_, i) => `DRV${String(i + 1).padStart(3, '0')}`);
    expect(RULES.map(({ code }) => code)).toEqual(numbers);
  });

  it.each(RULES.map((rule) => [rule.name, rule] as const))('%s is fit for print', (name, rule) => {
    expect(name).toMatch(/^([A-Z][a-z]+)+$|KubeVirt/);
    expect(RULES.filter((other) => other.name === name)).toHaveLength(1);
    expect(rule.title).not.toMatch(/^[A-Z](?!MI)[a-z]|\.$/);
    expect(rule.explains).toMatch(/\.$/);
    expect(rule.explains.length).toBeGreaterThan(150);
    expect(rule.needs.length).toBeGreaterThan(0);
  });
});

describe('a fleet of 200 VMs', async () => {
  const { fleet, hints } = await loadFleet(['testdata/fleet-200.json.gz']);
  const now = Date.UTC(2026, 2, 1, 12);
  const report = lint(fleet, { now, launcherImage: hints.launcherImage });

  it('gives the golden report', async () => {
    await expect(jsonView(report)).toMatchFileSnapshot('golden/fleet-200.json');
  });

  it.each([
    ['DrainRefused', ['Blocks']],
    ['StaysOffAfterEviction', ['StaysOff', 'MayStayOff']],
    ['RestartsUnannounced', ['Restarts']],
  ])('%s names the running VMs of which the forecast of an eviction says %j', (name, outcomes) => {
    const { vms } = planEvict(fleet, { vms: [] }, { now }).status;
    const foreseen = vms
      .filter(({ outcome }) => outcomes.includes(outcome))
      .map((vm) => `${vm.namespace}/${vm.name}`)
      .filter((key) => fleet.get('VirtualMachineInstance', key)?.status?.phase === 'Running');
    const found = report.status.findings.filter((finding) => finding.name === name);
    expect(found.flatMap(({ objects }) => objects).sort()).toEqual(
      foreseen.map((key) => `VirtualMachineInstance ${key}`).sort(),
    );
  });

  it('gives the same report in whatever order its objects come', () => {
    const objects = KNOWN_KINDS.flatMap((kind) =>
      [...fleet.all(kind)].map((object) => [kind, object] as const),
    );
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const shuffled = fill(
          fc.sample(fc.shuffledSubarray(objects, { minLength: objects.length }), { numRuns: 1, seed })[0] ??
            [],
          fleet,
        );
        expect(lint(shuffled, { now, launcherImage: hints.launcherImage })).toEqual(report);
      }),
      { numRuns: 5 },
    );
  });
});

function fill(objects: readonly (readonly [Kind, unknown])[], like: Fleet): Fleet {
  const fleet = new Fleet();
  for (const kind of KNOWN_KINDS) if (like.isKnown(kind)) fleet.noteKnown(kind);
  for (const [kind, object] of objects) fleet.apply(kind, object as never);
  return fleet;
}

describe('a large fleet', () => {
  /** One namespace, one budget for each VM as before KubeVirt 1.6, all VMs pinned to their node: the worst there is. */
  const large = (vms: number) => {
    const nodes = Array.from({ length: vms / 50 }, (_, i) =>
      aNode(`n${i}`).labelled('kubevirt.io/schedulable', 'true').build(),
    );
    const objects = Array.from({ length: vms }, (_, i) => {
      const host = `n${i % nodes.length}`;
      const vmi = controlled(
        aVmi(`vm-${i}`)
          .on(host)
          .migratable(i % 3 === 0 ? 'False' : 'True')
          .spec({
            evictionStrategy: i % 2 === 0 ? 'None' : 'LiveMigrate',
            nodeSelector: { 'kubernetes.io/hostname': host },
          })
          .build(),
      );
      const budget = {
        kind: 'PodDisruptionBudget',
        metadata: { name: `b-${i}`, namespace: 'shop' },
        spec: { minAvailable: 1, selector: { matchLabels: { 'kubevirt.io/created-by': `uid-vm-${i}` } } },
      };
      return [...launched(vmi), aVm(`vm-${i}`).runStrategy('Manual').build(), budget];
    }).flat();
    return aFleet(
      aKubeVirt().methods('LiveMigrate', 'Evict').build(),
      aPod('other').build(),
      ...nodes,
      ...objects,
    );
  };

  it('gets few findings, each with all its objects, in a time that grows with the fleet', () => {
    const [small, big] = [large(400), large(4000)];
    lint(small);
    const took = [small, big].map((fleet) => {
      const start = performance.now();
      const { findings } = lint(fleet).status;
      expect(findings.length).toBeLessThan(15);
      return performance.now() - start;
    });
    expect((took[1] ?? 0) / Math.max(took[0] ?? 0, 20)).toBeLessThan(40);
  });
});
