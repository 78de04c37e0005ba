import { describe, expect, it } from 'vitest';
import { MemoryCluster } from '../../memory-cluster.ts';
import { aScheduledVmi, launcher, NodesWorld, VMI } from './test-nodes.ts';
import { aRunningWorld, EXACT, LAUNCHER } from './test-running.ts';

describe('agents that come and go', () => {
  it('take over what they find', async () => {
    const world = await aRunningWorld({ shutdown: { kind: 'clean', seconds: 8 } });
    await world.agents.stop();
    world.api.delete('Pod', `shop/${LAUNCHER}`);
    await world.run(5);
    world.agents.start();
    await world.run(20);
    expect(world.course('db').at(-1)).toBe('11 Succeeded n1');
    expect(world.course(LAUNCHER).at(-1)).toBe('11 gone');
  });

  it('do nothing after they were stopped', async () => {
    const world = await aRunningWorld();
    world.api.delete('Pod', `shop/${LAUNCHER}`);
    await world.run(1);
    await world.agents.stop();
    await world.run(100);
    expect(world.vmi().status?.phase).toBe('Running');
  });

  it('try again what is refused', async () => {
    let refusals = 3;
    const vmi = aScheduledVmi('db').build();
    const faultOf = () =>
      refusals-- > 0 ? { answer: { ok: false as const, message: 'not now', code: 500 } } : undefined;
    const world = new NodesWorld([vmi, launcher(vmi, 'n1')], { times: EXACT }, { faultOf });
    world.agents.start();
    await world.run(10);
    expect(world.course(LAUNCHER)).toEqual(['4.5 Running ready=True']);
    expect(world.log.entries[0]).toMatchObject({ level: 'warn', fields: { problem: 'not now' } });
  });

  it('write each step once, however late they see what they wrote', async () => {
    const vmi = aScheduledVmi('db').build();
    const written: string[] = [];
    const faultOf = ({ verb, kind }: { verb: string; kind: string }) => {
      if (kind !== 'Node') written.push(`${verb} ${kind}`);
      return undefined;
    };
    const world = new NodesWorld(
      [vmi, launcher(vmi, 'n1')],
      { times: EXACT },
      { faultOf, lagSeconds: () => 0.3 },
    );
    world.agents.start();
    await world.run(10);
    await world.handOff('db', 'n2');
    await world.run(20);
    expect(world.course('db').at(-1)).toMatch(/Running n2 move-2 completed$/);
    expect(written.filter((write) => write === `modify ${VMI}`)).toHaveLength(8);
  });

  it('write as whoever they are told to be, and leave nodes alone that are not theirs', async () => {
    const [one, other] = [aScheduledVmi('db').build(), aScheduledVmi('other', 'n2').build()];
    const wrote: string[] = [];
    const clusters: MemoryCluster[] = [];
    const world: NodesWorld = new NodesWorld([one, launcher(one, 'n1'), other, launcher(other, 'n2')], {
      plays: (node) => node !== 'n2',
      clusterFor: (node) => {
        const faultOf = ({ key }: { key: string }) => {
          wrote.push(`${node} ${key}`);
          return undefined;
        };
        const cluster = new MemoryCluster({ api: world.api, clock: world.clock, faultOf });
        clusters.push(cluster);
        return cluster;
      },
    });
    world.agents.start();
    await world.run(10);
    expect(clusters).toHaveLength(3);
    expect(wrote).toEqual(expect.arrayContaining([`n1 shop/${LAUNCHER}`, 'n1 shop/db']));
    expect(wrote.filter((key) => key.includes('other'))).toEqual([]);
    expect(world.vmi('other').status?.phase).toBe('Scheduled');
  });

  it('write no more at once than they may', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const vmis = names.map((name) => aScheduledVmi(name).build());
    const objects = vmis.flatMap((vmi) => [vmi, launcher(vmi, 'n1')]);
    const options = { times: EXACT, stepsAtOnce: 2 };
    const world = new NodesWorld(objects, options, { latencySeconds: () => 0.1 });
    world.agents.start();
    await world.run(5);
    const started = names.map((name) => world.course(`virt-launcher-${name}-1`)[0]?.split(' ')[0]);
    expect(started).toEqual(['1.1', '1.1', '1.2', '1.2', '1.3']);
  });

  it('record no events where they shall not', async () => {
    const world = await aRunningWorld({}, { recordsEvents: false });
    expect(world.told()).toEqual([]);
  });
});

describe('nodes', () => {
  it('are brought up as far as they are not there, and play their part', async () => {
    const world = new NodesWorld([], {
      nodes: [
        { name: 'n1', cpu: '1' },
        { name: 'm1', cpu: '2', labels: { zone: 'a' } },
      ],
    });
    world.agents.start();
    await world.run(1);
    expect(world.api.get('Node', 'n1')?.metadata.labels).not.toHaveProperty('kubernetes.io/os');
    expect(world.api.get('Node', 'm1')).toMatchObject({
      metadata: { labels: { zone: 'a', 'kubevirt.io/schedulable': 'true' } },
      status: { allocatable: { cpu: '2', 'devices.kubevirt.io/kvm': '1k' } },
    });
    const vmi = aScheduledVmi('db', 'm1').build();
    world.put(vmi, launcher(vmi, 'm1'));
    await world.run(5);
    expect(world.vmi().status?.phase).toBe('Running');
  });

  it('beat their hearts while virt-handler runs', async () => {
    const world = new NodesWorld([], { times: { heartbeatSeconds: 60 } });
    const beat = () => world.api.get('Node', 'n1')?.metadata.annotations;
    world.agents.start();
    await world.run(61);
    expect(beat()).toEqual({ 'kubevirt.io/heartbeat': '2026-03-01T12:01:00Z' });
    world.agents.pauseHandler('n1');
    await world.run(300);
    expect(beat()).toEqual({ 'kubevirt.io/heartbeat': '2026-03-01T12:01:00Z' });
    world.agents.resumeHandler('n1');
    await world.run(1);
    expect(beat()).toEqual({ 'kubevirt.io/heartbeat': '2026-03-01T12:06:01Z' });
    await world.agents.failNode('n1');
    await world.run(300);
    expect(beat()).toEqual({ 'kubevirt.io/heartbeat': '2026-03-01T12:06:01Z' });
  });

  it('fail with their pods and guests', async () => {
    const world = await aRunningWorld({ ownEnd: { kind: 'powersOff', seconds: 5 } });
    await world.agents.failNode('n1');
    await world.run(60);
    expect(world.course(LAUNCHER).at(-1)).toBe('3 gone');
    expect(world.vmi().status?.phase).toBe('Running');
  });

  it('may leave their pods behind', async () => {
    const world = await aRunningWorld();
    await world.agents.failNode('n1', { podsVanish: false });
    await world.run(60);
    expect(world.course(LAUNCHER)).toEqual(['1 Running ready=True']);
  });

  it('take migrations from them down, and to them', async () => {
    const world = await aRunningWorld({ migration: { kind: 'takes', seconds: 60 } });
    await world.handOff('db', 'n2');
    await world.run(10);
    await world.agents.failNode('n2', { podsVanish: false });
    await world.run(60);
    expect(world.course('db').at(-1)).toBe('14 Running n1 move-2 failed Target pod is down to n2');
  });

  it('take the guests along that were on their way', async () => {
    const world = await aRunningWorld({ migration: { kind: 'takes', seconds: 60 } });
    await world.handOff('db', 'n2');
    await world.run(10);
    world.agents.rebootNode('n1', 100);
    await world.run(99);
    expect(world.course('db').at(-1)).toBe('5.5 Running n1 move-2 targetNodeDomainDetected to n2');
    await world.run(2);
    expect(world.vmi().status?.phase).toBe('Failed');
  });

  it('reboot, and find their guests gone', async () => {
    const world = await aRunningWorld();
    world.agents.rebootNode('n1', 90);
    await world.run(89);
    expect(world.vmi().status?.phase).toBe('Running');
    await world.run(2);
    expect(world.course(LAUNCHER).at(-1)).toBe('93 Failed ready=False/PodFailed');
    expect(world.course('db').at(-1)).toBe('93 Failed n1');
    expect(world.told().at(-1)).toBe('Warning Stopped: The VirtualMachineInstance crashed.');
  });

  it('play again after a reboot', async () => {
    const world = await aRunningWorld();
    world.agents.rebootNode('n2', 10);
    await world.run(11);
    const vmi = aScheduledVmi('new', 'n2').build();
    world.put(vmi, launcher(vmi, 'n2'));
    await world.run(5);
    expect(world.vmi('new').status?.phase).toBe('Running');
  });

  it('of which there is none are no error', async () => {
    const world = await aRunningWorld();
    await world.agents.failNode('nowhere');
    await world.agents.recoverNode('nowhere');
    world.agents.pauseHandler('nowhere');
    world.agents.resumeHandler('nowhere');
    world.agents.rebootNode('nowhere', 1);
    await world.run(2);
    expect(world.log.entries).toEqual([]);
  });
});

describe('virt-handler that is down', () => {
  it('starts no guest, and makes up for it afterwards', async () => {
    const world = await aRunningWorld();
    world.agents.pauseHandler('n2');
    const vmi = aScheduledVmi('late', 'n2').build();
    world.put(vmi, launcher(vmi, 'n2'));
    await world.run(10);
    expect(world.vmi('late').status?.phase).toBe('Scheduled');
    world.agents.resumeHandler('n2');
    await world.run(2);
    expect(world.course('late').at(-1)).toBe('14 Running n2');
  });

  it('presses no button; the launcher ends the guest when its time is long over', async () => {
    const world = await aRunningWorld();
    world.agents.pauseHandler('n1');
    world.api.delete('Pod', `shop/${LAUNCHER}`);
    await world.run(100);
    expect(world.course(LAUNCHER).at(-1)).toBe('48 gone');
    expect(world.course('db').at(-1)).toBe('2 Running n1');
    expect(world.told().slice(1)).toEqual([]);
  });

  it('presses the button late', async () => {
    const world = await aRunningWorld();
    world.agents.pauseHandler('n1');
    world.api.delete('Pod', `shop/${LAUNCHER}`);
    await world.run(20);
    world.agents.resumeHandler('n1');
    await world.run(10);
    expect(world.course('db').at(-1)).toBe('25 Succeeded n1');
  });
});
