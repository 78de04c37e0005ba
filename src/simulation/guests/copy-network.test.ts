import { describe, expect, it } from 'vitest';
import { beginCopy } from '../../decide/transfer/copy.ts';
import { aNode } from '../../kubevirt/builders.ts';
import type { Node } from '../../kubevirt/objects.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { CopyNetwork, type NetworkOptions } from './copy-network.ts';

/** 93 MB of memory a second. */
const OPTIONS: NetworkOptions = { nicMbps: 800 };

function begin(options: NetworkOptions = OPTIONS, ...nodes: Node[]) {
  const clock = new VirtualClock(0);
  const network = new CopyNetwork(
    clock,
    (name) => nodes.find((node) => node.metadata.name === name),
    options,
  );
  const told: string[] = [];
  const send = (key: string, memoryMB: number, from = 'n1', to = 'n2') => {
    const memory = { memoryMB, hotSetMB: 0, hotSetSeconds: 0, coldDirtyMBps: 0 };
    network.begin(
      { key, from, to, copy: beginCopy(memory, 0.9) },
      {
        onEnd: () => told.push(`${key}@${Math.round(clock.now()) / 1000}`),
        onChange: () => told.push(`${key} changes`),
      },
    );
  };
  const ends = () => told.filter((each) => each.includes('@'));
  return { clock, network, told, send, ends };
}

describe('copies on a network', () => {
  it('end when all is there, alone or beside others', async () => {
    const { clock, send, ends } = begin();
    send('a', 930);
    await clock.advance(5);
    send('b', 930);
    await clock.advance(60);
    expect(ends()).toEqual(['a@15', 'b@20']);
  });

  it('say how they stand, and that they ended', async () => {
    const { clock, network, send } = begin();
    send('a', 930);
    expect(network.isUnderWay('a')).toBe(true);
    await clock.advance(5);
    expect(network.copyOf('a')?.remainingMB).toBeCloseTo(465, 6);
    expect(network.copyOf('a', 2000)?.remainingMB).toBeCloseTo(744, 6);
    expect(network.secondsToRoundEnd('a')).toBeCloseTo(5, 6);
    expect(network.ended('a')).toBeUndefined();
    await clock.advance(5);
    expect(network.ended('a')).toMatchObject({ phase: 'Done', remainingMB: 0 });
    expect(network.isUnderWay('a')).toBe(false);
    expect(network.copyOf('a')).toBeUndefined();
    expect(network.secondsToRoundEnd('a')).toBeUndefined();
    network.cancel('a');
    expect(network.ended('a')).toBeUndefined();
  });

  it('leave their share to others when they are canceled', async () => {
    const { clock, network, send, ends } = begin();
    send('a', 930);
    send('b', 930);
    await clock.advance(10);
    network.cancel('a');
    network.cancel('a');
    await clock.advance(60);
    expect(ends()).toEqual(['b@15']);
  });

  it('are told before the network is shared out anew', () => {
    const { network, told, send } = begin();
    send('a', 930);
    send('b', 930);
    network.cancel('b');
    network.alter('a', ({ copy }) => ({ copy }));
    expect(told).toEqual(['a changes', 'a changes', 'a changes']);
  });

  it('may be ended in another way', async () => {
    const { clock, network } = begin();
    const busy = { memoryMB: 930, hotSetMB: 93, hotSetSeconds: 1, coldDirtyMBps: 93 };
    const ends: number[] = [];
    network.begin(
      { key: 'a', from: 'n1', to: 'n2', copy: beginCopy(busy, 0.9) },
      { onEnd: ({ downtimeSeconds }) => ends.push(clock.now() / 1000, downtimeSeconds), onChange: () => {} },
    );
    await clock.advance(100);
    expect(ends).toEqual([]);
    network.endPreCopy('a', 'StopAndCopy');
    await clock.advance(100);
    expect(ends[0]).toBeGreaterThan(100);
    expect(ends[1]).toBeCloseTo((ends[0] ?? 0) - 100, 3);
  });

  it('go as fast as the cards of their nodes', async () => {
    const slow = aNode('n2').annotated('lab/nic-mbps', '400').build();
    const { clock, send, ends } = begin(OPTIONS, slow);
    send('a', 930);
    await clock.advance(60);
    expect(ends()).toEqual(['a@20']);
  });

  it('go by 10 Gbit/s where nothing is said', async () => {
    const { clock, send, ends } = begin({});
    send('a', 11_625);
    await clock.advance(60);
    expect(ends()).toEqual(['a@10']);
  });

  it('share the uplinks of racks', async () => {
    const racked = ['n1', 'n2', 'n3', 'n4'].map((name, index) =>
      aNode(name)
        .labelled('rack', index < 2 ? 'r1' : 'r2')
        .build(),
    );
    const options = { ...OPTIONS, rackUplinkMbps: 800, rackLabel: 'rack' };
    const { clock, send, ends } = begin(options, ...racked);
    send('a', 930, 'n1', 'n3');
    send('b', 930, 'n2', 'n4');
    await clock.advance(60);
    expect(ends()).toEqual(['a@20', 'b@20']);
  });
});
