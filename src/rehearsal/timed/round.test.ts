import { describe, expect, it } from 'vitest';
import { Fleet } from '../../fleet/fleet.ts';
import { planRound } from '../../forecast/plans/round.ts';
import { project } from '../../kubevirt/projection.ts';
import { clusterObjects } from '../../scenario/cluster.ts';
import { scenarioSchema } from '../../scenario/schema.ts';
import { withTime } from './with-time.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const OPTIONS = { takenAt: NOW, behavior: 'exact', runs: 2, whatIf: [] } as const;
const VM = { migratable: true, strategy: 'LiveMigrate', memory: '4Gi' };

function aFleet(nodes: readonly string[], vms: readonly object[]): Fleet {
  const { cluster } = scenarioSchema.parse({ title: 'round', cluster: { nodes, vms } });
  const fleet = new Fleet();
  for (const raw of clusterObjects(cluster)) {
    const kind = raw.kind as 'Pod';
    fleet.apply(kind, project(kind, JSON.parse(JSON.stringify(raw))));
  }
  return fleet;
}

async function roundOf(fleet: Fleet, nodes: readonly string[] = [], change: object = {}) {
  const forecast = planRound(fleet, { nodes }, { now: NOW, behavior: 'exact', scope: {} } as never);
  const { round, vms } = forecast.status;
  const question = { steps: round?.steps ?? [], vms, rebootSeconds: 300 };
  return withTime(forecast, fleet, { action: 'round', question }, { ...OPTIONS, ...change });
}

const movers = ['n1', 'n1', 'n1', 'n2'].map((node, i) => ({ name: `m${i}`, node, ...VM }));

describe('the times of a maintenance round', () => {
  it('tells the turn of every node, one after another, with its boot', async () => {
    const { status } = await roundOf(aFleet(['n1', 'n2', 'n3'], movers));
    const { turns = [], total, bottleneck } = status.time ?? {};
    expect(turns.map(({ node }) => node)).toEqual(status.round?.steps.map(({ node }) => node));
    for (const [i, { start, end, seconds, givenUp }] of turns.entries()) {
      expect(start.p50).toBe(i === 0 ? 0 : turns[i - 1]?.end.p50);
      expect(end.p50 - start.p50).toBeCloseTo(seconds.p50, -1);
      expect(givenUp).toBe(0);
    }
    // The empty one needs its boot only; three guests of 4 GiB at 100 MB/s, two at a time, more than 80 s besides.
    expect(turns.find(({ node }) => node === 'n3')?.seconds.p50).toBe(300);
    const n1 = turns.find(({ node }) => node === 'n1')?.seconds.p50 ?? 0;
    expect(n1).toBeGreaterThan(380);
    expect(total).toEqual(turns.at(-1)?.end);
    expect(bottleneck).toMatchObject({ reason: 'LongestTurn', seconds: n1 });
    expect(status.notes.join('\n')).toMatch(
      /It takes 1[5-9]m\d+s(?: \(.*\))? until the last node is back\.\nFrom its drain until it is back: n3 5m0s, /,
    );
    expect(status.notes.at(-1)).toBe(
      'Times: a node is back 5m0s after it is drained (--reboot); what does not leave it by itself is seen to at once, and a drain is given up after 1h0m0s.',
    );
    expect(status.vms.every(({ start, end }) => start && end && start.p50 < end.p50)).toBe(true);
  });

  it('does not wait for a VM that stays, nor boots its node under it', async () => {
    const fixed = { ...VM, name: 'fixed', node: 'n1', migratable: 'DisksNotLiveMigratable' };
    const { status } = await roundOf(aFleet(['n1', 'n2', 'n3'], [...movers, fixed]), ['n1']);
    const stays = status.vms.find(({ name }) => name === 'fixed');
    expect(stays).toMatchObject({ outcome: 'Blocks' });
    expect(stays?.downtimeSeconds).toBeUndefined();
    expect(status.time?.turns).toMatchObject([{ node: 'n1', givenUp: 0 }]);
    expect(status.time?.total.p90).toBeLessThan(900);
  });

  it('does not wait for a VM that is off for good', async () => {
    const manual = { name: 'manual', node: 'n1', runStrategy: 'Manual', strategy: 'None' };
    const { status } = await roundOf(aFleet(['n1', 'n2'], [manual]), ['n1'], { runs: 1 });
    expect(status.vms[0]).toMatchObject({ outcome: 'StaysOff' });
    expect(status.time?.turns?.[0]?.seconds.p50).toBeLessThan(400);
  });

  it('tries another setting on the whole round', async () => {
    const whatIf = [{ path: 'parallelOutboundMigrationsPerNode', value: '5' }];
    const { status } = await roundOf(aFleet(['n1', 'n2', 'n3'], movers), ['n1'], { whatIf });
    expect(status.time?.whatIf[0]?.total.p50).toBeLessThan((status.time?.total.p50 ?? 0) - 10);
  });

  it('gives a drain up that does not end, and says so', async () => {
    const fleet = aFleet(['n1', 'n2'], [{ name: 'a', node: 'n1', ...VM, nodeSelector: { disk: 'ssd' } }]);
    const forecast = planRound(fleet, { nodes: ['n1'] }, { now: NOW, behavior: 'exact', scope: {} } as never);
    const vms = [{ namespace: 'default', name: 'a', outcome: 'LiveMigrates' as const }];
    const question = { steps: [{ node: 'n1', opens: [] }], vms, rebootSeconds: 60 };
    const { status } = await withTime(forecast, fleet, { action: 'round', question }, OPTIONS);
    expect(status.time?.turns).toMatchObject([{ node: 'n1', givenUp: 2 }]);
    expect(status.notes).toContain(
      'VMs that should leave n1 stay for more than 1h0m0s in up to 2 of 2 courses: kube-scheduler finds them no place.',
    );
  });
});
