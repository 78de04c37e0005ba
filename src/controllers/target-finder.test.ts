import { describe, expect, it } from 'vitest';
import { resolveSettings } from '../decide/settings.ts';
import { Fleet } from '../fleet/fleet.ts';
import { aNode, aPod, aVmi } from '../kubevirt/builders.ts';
import type { Node, Pod } from '../kubevirt/objects.ts';
import { PLACEMENT_REASONS, TargetFinder } from './target-finder.ts';

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

it('its reasons are those that nodes and quotas can do away with', () => {
  expect([...PLACEMENT_REASONS]).toEqual(['QuotaExceeded', 'NoRoom', 'NoNodeFits']);
});
