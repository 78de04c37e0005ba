import { describe, expect, it } from 'vitest';
import { resolveSettings } from '../decide/settings.ts';
import { Fleet } from '../fleet/fleet.ts';
import { aNode, aPod, aVmi } from '../kubevirt/builders.ts';
import type { Node, Pod, ResourceQuota, Vmi } from '../kubevirt/objects.ts';
import { PLACEMENT_REASONS, TargetFinder } from './target-finder.ts';
import type { UnderWay } from './under-way.ts';

const vmi = aVmi('db').on('n1').migratable().build();
const launcher = (memory = '2Gi') => aPod().on('n1').launcherOf(vmi).asking({ memory });
const node = (name: string, memory = '8Gi') => aNode(name).offering({ memory, cpu: '8', pods: '50' });

function refusal(nodes: readonly Node[], pods: readonly Pod[], used?: string) {
  const fleet = new Fleet();
  for (const one of nodes) fleet.apply('Node', one);
  for (const pod of pods) fleet.apply('Pod', pod);
  if (used !== undefined) {
    const status = { hard: { pods: '2' }, used: { pods: used } };
    const spec = { hard: { pods: '2' } };
    fleet.apply('ResourceQuota', { metadata: { name: 'pods', namespace: 'shop' }, spec, status });
  }
  return new TargetFinder(fleet, resolveSettings(undefined), 'intended').refusalFor(vmi);
}

const [n1, n2] = [node('n1').build(), node('n2').build()];

describe('a target', () => {
  it('is found on another node', () => {
    expect(refusal([n1, n2], [launcher().build()])).toBeUndefined();
  });

  it('is not found where no node would ever do', () => {
    const picky = launcher().spec({
      nodeName: 'n1',
      nodeSelector: { gpu: 'yes' },
      containers: [{ name: 'c' }],
    });
    expect(refusal([n1, n2], [picky.build()])).toEqual({
      reason: 'NoNodeFits',
      message: expect.stringMatching(/^no other node can take it: \w+ \(n\d/),
    });
  });

  it('is not found where other VMs are in its place', () => {
    const other = aPod('virt-launcher-web-1')
      .on('n2')
      .launcherOf(aVmi('web').build())
      .asking({ memory: '7Gi' });
    expect(refusal([n1, n2], [launcher().build(), other.build()])).toEqual({
      reason: 'NoRoom',
      message: expect.stringMatching(/^no other node has room for it now: /),
    });
  });

  it('is not found where the quota has no pod left', () => {
    expect(refusal([n1, n2], [launcher().build()], '2')).toMatchObject({ reason: 'QuotaExceeded' });
    expect(refusal([n1, n2], [launcher().build()], '1')).toBeUndefined();
  });

  it('is left to KubeVirt to find where too little is known', () => {
    expect(refusal([n1, n2], [])).toBeUndefined();
    expect(refusal([], [launcher().build()])).toBeUndefined();
    expect(refusal([n1, aNode('n2').build()], [launcher().build()])).toBeUndefined();
  });
});

describe('a place that is kept', () => {
  const big = (name: string, spec: Vmi['spec'] = {}) =>
    aVmi(name)
      .on('n1')
      .migratable()
      .spec(spec ?? {})
      .build();
  const podOf = (one: Vmi, memory = '5Gi') =>
    aPod(`virt-launcher-${one.metadata.name}-1`)
      .on('n1')
      .launcherOf(one)
      .asking({ memory })
      .spec({ nodeSelector: one.spec?.nodeSelector })
      .build();
  const [a, b, c] = [big('a'), big('b'), big('c')];
  const pinned = big('pinned', { nodeSelector: { disk: 'fast' } });

  function finder(
    nodes: readonly Node[],
    vmis: readonly Vmi[],
    underWay: readonly UnderWay[] = [],
    quota?: ResourceQuota,
  ) {
    const fleet = new Fleet();
    for (const one of [node('n1', '64Gi').build(), ...nodes]) fleet.apply('Node', one);
    for (const one of vmis) fleet.apply('Pod', podOf(one));
    if (quota) fleet.apply('ResourceQuota', quota);
    return new TargetFinder(fleet, resolveSettings(undefined), 'intended', () => underWay);
  }
  const noRoom = (why: string) => ({
    reason: 'NoRoom',
    message: `no other node has room for it now: ${why}`,
  });
  const full = noRoom('InsufficientResources (n2), SourceNode (n1)');

  it('is not given to another that fits it as well', () => {
    const targets = finder([n2], [a, b]);
    expect(targets.refusalFor(b)).toBeUndefined();
    expect(targets.take(a)).toBeUndefined();
    expect(targets.refusalFor(b)).toEqual(full);
    expect(targets.take(b)).toEqual(full);
  });

  it('is one of several', () => {
    const targets = finder([n2, node('n3').build()], [a, b, c]);
    expect([a, b, c].map((one) => targets.take(one)?.reason)).toEqual([undefined, undefined, 'NoRoom']);
  });

  it.each([true, false])('is kept for a migration under way without a node (with a pod: %s)', (hasPod) => {
    expect(finder([n2], [a, b], [{ vmi: a, hasPod }]).refusalFor(b)).toEqual(full);
    expect(finder([n2], [a, b], []).refusalFor(b)).toBeUndefined();
  });

  it('is left for another that does as well, where somebody fits nowhere else', () => {
    const fast = node('n2').labelled('disk', 'fast').build();
    const targets = finder([fast, node('n3').build()], [a, b, pinned]);
    expect(targets.take(a)).toBeUndefined();
    expect(targets.take(pinned)).toBeUndefined();
    expect(targets.take(b)).toMatchObject({ reason: 'NoRoom' });
  });

  it('is not kept for those that find none, nor for those about whom too little is known', () => {
    const unknown = big('unknown');
    expect(finder([n2], [a, b, c], [{ vmi: pinned, hasPod: false }]).refusalFor(b)).toBeUndefined();
    expect(finder([n2], [a], [{ vmi: unknown, hasPod: false }]).take(unknown)).toBeUndefined();
    expect(finder([n2], [a], [{ vmi: unknown, hasPod: false }]).refusalFor(a)).toBeUndefined();
  });

  it('counts for the quota until its pod is there', () => {
    const hard = { pods: '3' };
    const quota = {
      metadata: { name: 'pods', namespace: 'shop' },
      spec: { hard },
      status: { hard, used: { pods: '2' } },
    };
    const roomy = node('n2', '64Gi').build();
    const targets = finder([roomy], [a, b], [], quota);
    expect(targets.take(a)).toBeUndefined();
    expect(targets.take(b)).toMatchObject({ reason: 'QuotaExceeded' });
    expect(finder([roomy], [a, b], [{ vmi: a, hasPod: true }], quota).take(b)).toBeUndefined();
    expect(finder([roomy], [a, b], [{ vmi: a, hasPod: false }], quota).take(b)).toMatchObject({
      reason: 'QuotaExceeded',
    });
  });
});

it('its reasons are those that nodes and quotas can do away with', () => {
  expect([...PLACEMENT_REASONS]).toEqual(['QuotaExceeded', 'NoRoom', 'NoNodeFits']);
});
