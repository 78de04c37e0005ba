import { describe, expect, it } from 'vitest';
import { DRAIN_DEFAULTS } from '../../forecast/questions.ts';
import { markOf } from '../../forecast/views/mark.ts';
import { aFleet, drainInTime } from './test-fleet.ts';
import { inTime, timeLimitOf } from './time-limit.ts';

/** Two out of n1 at a time, 45 s each: six are away after about 45, 90 and 135 s. */
const outcomesOf = ({ status }: Awaited<ReturnType<typeof drainInTime>>) =>
  status.vms.map(({ outcome }) => outcome).sort();

describe('a deadline', () => {
  it('cuts VMs that have not moved by then, and counts them so', async () => {
    const { status } = await drainInTime(aFleet(), {}, { deadlineSeconds: 70 });
    const cut = status.vms.filter(({ outcome }) => outcome === 'Cut');
    expect(cut).toHaveLength(4);
    expect(status.counts).toMatchObject({ Cut: 4, LiveMigrates: 2 });
    expect(status.summary).toBe(
      'After 1m10s the node goes down with 4 VMs still on it; no VM is shut down before.',
    );
    expect(cut[0]?.message).toMatch(
      /^would end as LiveMigrates, but is still on n1 after 1m10s: it is away after /,
    );
  });

  it('is the end of a VM that is cut; how long that is down, nobody knows', async () => {
    const { status } = await drainInTime(aFleet({ fixed: true }), {}, { deadlineSeconds: 5 });
    expect(status.counts.Cut).toBe(7);
    for (const { start, end, downtimeSeconds } of status.vms) {
      expect(end).toEqual({ p50: 5, p90: 5 });
      expect(downtimeSeconds).toBeUndefined();
      expect(start?.p50 ?? 0).toBeLessThanOrEqual(5);
    }
  });

  it('is that of all nodes that are drained', async () => {
    const { status } = await drainInTime(
      aFleet({ onN2: 1 }),
      { nodes: ['n1', 'n2'] },
      { deadlineSeconds: 5 },
    );
    expect(status.summary).toBe(
      'After 5s the nodes go down with 7 VMs still on them; no VM is shut down before.',
    );
  });

  it('does not cut a VM that cannot be judged', async () => {
    const fleet = aFleet({ fixed: true });
    for (const pod of fleet.podsOn('n1')) {
      if (pod.metadata.name.includes('stuck')) fleet.remove('Pod', `default/${pod.metadata.name}`);
    }
    const { status } = await drainInTime(fleet, {}, { deadlineSeconds: 1 });
    expect(status.counts).toMatchObject({ Unknown: 1, Cut: 6 });
  });
});

describe('a client with a limit of its own', () => {
  it('cuts whoever is still there where it goes on with the node, as Talos does', async () => {
    const played = await drainInTime(aFleet({ refusing: true }), {
      client: 'talos-node',
      timeoutSeconds: 100,
    });
    expect(outcomesOf(played)).toEqual([...Array(3).fill('Cut'), ...Array(4).fill('LiveMigrates')]);
    const refuses = played.status.vms.find(({ name }) => name === 'refuses');
    expect(refuses?.reason).toBe('CutAfterStrategyStampedBeforeChange');
    expect(played.status.summary).toBe(
      'After 1m40s the node goes down with 3 VMs still on it; no VM is shut down before.',
    );
  });

  const told = {
    namespace: 'shop',
    name: 'w',
    node: 'n1',
    message: '',
    evidence: [],
    remedies: [],
    stages: [],
  };

  it.each(['kubectl', 'talos-node'] as const)(
    'of %s tells nothing of VMs that cannot be judged',
    (client) => {
      const question = { ...DRAIN_DEFAULTS, nodes: ['n1'], client, timeoutSeconds: 120 };
      const limit = timeLimitOf({ action: 'drain', question }, undefined, []);
      const vm = { ...told, outcome: 'Unknown', reason: 'InputIncomplete' } as const;
      expect(limit && inTime(vm, 'Blocks', limit)).toBe(vm);
    },
  );

  it('leaves VMs to the controller that takes them, which no play has in it; a deadline does not wait', () => {
    const question = { ...DRAIN_DEFAULTS, nodes: ['n1'], client: 'talos-node' } as const;
    const vm = { ...told, outcome: 'HandedOver', reason: 'CapkReplaces' } as const;
    const outcomeBy = (deadlineSeconds: number | undefined) => {
      const limit = timeLimitOf({ action: 'drain', question }, deadlineSeconds, []);
      return limit && inTime(vm, 'HandedOver', limit).outcome;
    };
    expect([outcomeBy(undefined), outcomeBy(60), outcomeBy(600)]).toEqual(['HandedOver', 'Cut', 'Cut']);
  });

  it('cuts nobody where all are away in its time', async () => {
    const { status } = await drainInTime(aFleet(), { client: 'talos-node' });
    expect(status.counts).toMatchObject({ Cut: 0, LiveMigrates: 6 });
    expect(status.summary).toBe('The drain finishes; no VM is shut down.');
  });

  it.each([
    ['kubectl', 'the drain fails and the node stays cordoned'],
    ['talosctl', 'talosctl gives up without rebooting the node, which stays cordoned'],
  ] as const)('does not say that a drain finishes that %s gives up', async (client, end) => {
    const played = await drainInTime(aFleet(), { client, timeoutSeconds: 60 });
    expect(played.status.summary).toBe(`After 1m0s 4 VMs are still there: ${end}; no VM is shut down.`);
    expect(played.status.time?.timeUp).toEqual({ seconds: 60, vms: 4 });
    expect(markOf(played)).toBe('!');
    expect(outcomesOf(played)).toEqual(Array(6).fill('LiveMigrates'));
  });

  it('counts from when it comes to the node', async () => {
    const asked = { nodes: ['n2', 'n1'], timeoutSeconds: 160 };
    const { status } = await drainInTime(aFleet({ onN2: 8, memory: '4Gi' }), asked);
    expect(status.vms.some(({ end }) => (end?.p90 ?? 0) > 160)).toBe(true);
    expect(status.summary).toBe('The drain finishes; no VM is shut down.');
  });

  it('tells no more than before where the drain does not finish anyhow', async () => {
    const { status } = await drainInTime(aFleet({ refusing: true }), { timeoutSeconds: 60 });
    expect(status.summary).toMatch(/^The drain does not finish: 1 VM refuses eviction/);
    expect(status.time?.timeUp).toEqual({ seconds: 60, vms: 4 });
  });

  it('says who is refused until it is given up, whose budget lets one go after the other', async () => {
    const asked = { timeoutSeconds: 10 };
    const { status } = await drainInTime(aFleet({ vms: 0, budgeted: 3 }), asked);
    expect(status.counts).toMatchObject({ Restarts: 1, Blocks: 2 });
    expect(status.summary).toBe(
      'After 10s 2 VMs are still there: the drain fails and the node stays cordoned; 1 VM is shut down.',
    );
    const [refused] = status.vms.filter(({ outcome }) => outcome === 'Blocks');
    expect(refused?.reason).toBe('RefusedToTheEnd');
    expect(refused?.message).toBe(
      'would end as Restarts, but its eviction is still refused when the drain is given up after 10s',
    );
    expect(status.notes.join()).not.toContain('One of the two is wrong');
    const cut = await drainInTime(aFleet({ vms: 0, budgeted: 3 }), { ...asked, client: 'talos-node' });
    expect(cut.status.counts).toMatchObject({ Restarts: 1, Cut: 2 });
  });
});
