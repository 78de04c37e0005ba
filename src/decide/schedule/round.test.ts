import { describe, expect, it } from 'vitest';
import { orderRound, plainRound, type Round, type RoundInput, type RoundVm } from './round.ts';
import { inputOf } from './test-round.ts';

const orderOf = (round: Round) => round.steps.map(({ node }) => node).join(' ');

const pathsOf = (round: Round) =>
  round.steps.flatMap(({ moves }) =>
    moves.map(({ vm, from, to, reason }) => `${vm} ${from}>${to} ${reason}`),
  );

describe('the order of a round', () => {
  it('begins with an empty node, and lets every VM move once', () => {
    const round = orderRound(inputOf({ nodes: { a: 4, b: 4, c: 4 }, vms: { 'x@a': 4, 'y@b': 4 } }));
    expect(orderOf(round)).toBe('c a b');
    expect(pathsOf(round)).toEqual(['x a>c NodeDone', 'y b>a NodeDone']);
    expect(round).toMatchObject({ mostMoves: 1, totalMoves: 2, stuck: 0 });
    expect(round.bound).toEqual({ moves: 1, reason: 'EachOnce' });
    expect(round.steps.map(({ reason, message, evidence }) => ({ reason, message, evidence }))).toEqual([
      {
        reason: 'NothingGoes',
        message: 'is done without moving any VM, and takes VMs of other nodes afterwards',
        evidence: [{ object: 'Node c', path: 'vms that go', value: [] }],
      },
      {
        reason: 'AllSettle',
        message: 'has 1 VM to move, and it stays where it goes',
        evidence: [{ object: 'Node a', path: 'vms that settle', value: ['x'] }],
      },
      {
        reason: 'AllSettle',
        message: 'has 1 VM to move, and it stays where it goes',
        evidence: [{ object: 'Node b', path: 'vms that settle', value: ['y'] }],
      },
    ]);
    expect(round.steps[1]?.moves[0]).toEqual({
      vm: 'x',
      from: 'a',
      to: 'c',
      reason: 'NodeDone',
      message: 'goes to c, which is done: it can stay there',
      evidence: [{ object: 'Node c', path: 'state in the round', value: 'Done' }],
    });
  });

  it('uses a node outside the round first', () => {
    const round = orderRound(inputOf({ nodes: { a: 4, b: 4, 'spare!': 4 }, vms: { 'x@a': 3, 'y@b': 2 } }));
    expect(pathsOf(round)).toEqual(['x a>spare NodeOutside', 'y b>a NodeDone']);
    expect(round.steps[0]?.moves[0]?.message).toBe(
      'goes to spare, which is not part of the round: it can stay there',
    );
    expect(round.bound).toEqual({ moves: 1, reason: 'EachOnce' });
  });

  it('moves as few as possible twice where no node is free', () => {
    const round = orderRound(
      inputOf({ nodes: { a: 4, b: 4, c: 4 }, vms: { 'p@a': 1, 'q@a': 1, 'r@b': 2, 's@c': 1, 't@c': 1 } }),
    );
    expect(round).toMatchObject({ mostMoves: 2, totalMoves: 6, stuck: 0 });
    expect(round.bound).toEqual({ moves: 2, reason: 'NoRoomBeforeTheFirst' });
    expect(orderOf(round).startsWith('b')).toBe(true);
    const [first] = round.steps;
    expect(first).toMatchObject({ reason: 'SomeMoveAgain', opens: [first?.moves[0]?.to] });
    const to = first?.moves[0]?.to;
    expect(first?.message).toBe(
      `has 1 VM to move; for 1 of them there is no room yet on nodes that are done: it goes to ${to} and moves once more`,
    );
    expect(first?.evidence).toEqual([
      { object: 'Node b', path: 'vms that settle', value: [] },
      { object: 'Node b', path: 'vms that move again', value: ['r'] },
    ]);
    expect(first?.moves[0]?.message).toBe(
      `goes to ${to}, which is still due: no node that is done has room for it; it moves again when ${to} is drained`,
    );
  });

  it('tells of several in the plural, and names three nodes at most', () => {
    const vms = { 'a1@a': 1, 'a2@a': 1, 'b1@b': 3, 'c1@c': 3 };
    const round = orderRound(inputOf({ nodes: { a: 4, b: 4, c: 4 }, vms }));
    expect(round.steps.map(({ message }) => message)).toEqual([
      'has 2 VMs to move; for 2 of them there is no room yet on nodes that are done: they go to b, c and move once more',
      expect.stringMatching(/^has 2 VMs to move, and all stay where they go$/),
      expect.stringMatching(/^has 2 VMs to move, and all stay where they go$/),
    ]);
    expect(round.steps[0]?.opens).toEqual(['b', 'c']);
    expect(round.mostMoves).toBe(2);
  });

  it('puts what is held up last', () => {
    const sketch = { nodes: { a: 4, b: 4, c: 4 }, vms: { 'fixed@a': 1, 'x@b': 2, 'other@a': 1 } };
    const round = orderRound(inputOf({ ...sketch, change: { fixed: { fate: 'Stays' } } }));
    expect(orderOf(round)).toBe('c b a');
    expect(round.steps[2]).toMatchObject({
      reason: 'HeldUp',
      message: 'comes when nothing else waits for it: fixed stays there until somebody sees to it',
      evidence: [{ object: 'Node a', path: 'vms that stay', value: ['fixed'] }],
    });
    expect(pathsOf(round)).toContain('x b>c NodeDone');
    const two = { fixed: { fate: 'Stays' }, other: { fate: 'Stays' } } as const;
    expect(orderRound(inputOf({ ...sketch, change: two })).steps[2]?.message).toBe(
      'comes when nothing else waits for it: fixed, other stay there until somebody sees to them',
    );
  });

  it('counts on the room beside what stays, once that is seen to', () => {
    const sketch = { nodes: { a: 4, b: 4, c: 4 }, vms: { 'fixed@a': 1, 'x@b': 3, 'y@c': 3 } };
    const round = orderRound(inputOf({ ...sketch, change: { fixed: { fate: 'Stays' } } }));
    expect(round.bound).toEqual({ moves: 1, reason: 'EachOnce' });
    expect(orderOf(round).endsWith('a')).toBe(true);
    expect(round.mostMoves).toBe(2);
  });

  it('puts held nodes last among many, in their best order', () => {
    const nodes = { a: 4, b: 4, c: 4, d: 4, e: 4, f: 4, g: 4 };
    const vms = { 'fixed@a': 1, 'p@a': 1, 'stuck@b': 4, 'q@c': 2, 'r@d': 2, 's@e': 4, 't@g': 4 };
    const round = orderRound(
      inputOf({ nodes, vms, change: { fixed: { fate: 'Stays' }, stuck: { fate: 'Stays' } } }),
    );
    expect(orderOf(round).split(' ').slice(0, 1)).toEqual(['f']);
    expect(orderOf(round).split(' ').slice(-2).sort()).toEqual(['a', 'b']);
    expect(round).toMatchObject({ mostMoves: 1, totalMoves: 5, stuck: 0 });
  });

  it('gives the place of a VM that leaves to others', () => {
    const sketch = { nodes: { a: 4, b: 4 }, vms: { 'gone@a': 4, 'x@b': 4 } };
    const round = orderRound(inputOf({ ...sketch, change: { gone: { fate: 'Leaves' } } }));
    expect(orderOf(round)).toBe('a b');
    expect(pathsOf(round)).toEqual(['x b>a NodeDone']);
    expect(round.bound).toEqual({ moves: 1, reason: 'EachOnce' });
  });

  it('says which VMs find no room', () => {
    const round = orderRound(inputOf({ nodes: { a: 4, b: 4 }, vms: { 'x@a': 3, 'y@b': 3 } }));
    expect(round).toMatchObject({ stuck: 2, mostMoves: 0 });
    expect(round.steps[0]).toMatchObject({
      stuck: ['x'],
      reason: 'LacksRoom',
      message: 'does not get empty by itself: x finds no room on any other node then',
      evidence: [{ object: 'Node a', path: 'vms without a place', value: ['x'] }],
    });
    const many = { nodes: { a: 4, b: 1 }, vms: { 'v@a': 1, 'w@a': 1, 'x@a': 1, 'y@a': 1, 'z@b': 1 } };
    const crowded = orderRound(inputOf({ ...many, change: { z: { mayGoTo: new Set<string>() } } }));
    const first = crowded.steps.find(({ node }) => node === 'a');
    expect(first?.message).toBe(
      'does not get empty by itself: v, w, x and 1 more find no room on any other node then',
    );
  });

  it.each<[string, Partial<RoundVm>, string]>([
    ['the tightest place, for want of a reason', {}, 'x a>c NodeOutside'],
    ['what placement says', { mayGoTo: new Set(['b']) }, 'x a>b NodeOutside'],
    ['company that it must not have', { apart: [new Set(['y'])] }, 'x a>b NodeOutside'],
    ['itself, from which nobody is apart', { apart: [new Set(['x'])] }, 'x a>c NodeOutside'],
  ])('keeps to %s', (_, change, path) => {
    const sketch = { nodes: { a: 4, 'b!': 4, 'c!': 4 }, vms: { 'x@a': 1, 'y@c': 3 } };
    expect(pathsOf(orderRound(inputOf({ ...sketch, change: { x: change } })))).toEqual([path]);
  });

  it('needs nothing where nothing goes, nor where no node is due', () => {
    const idle = orderRound(inputOf({ nodes: { a: 4 }, vms: {} }));
    expect(idle).toMatchObject({ mostMoves: 0, totalMoves: 0, bound: { moves: 0, reason: 'NothingGoes' } });
    expect(orderRound({ nodes: [], vms: [] }).steps).toEqual([]);
    const lost = inputOf({ nodes: { a: 4 }, vms: { 'x@elsewhere': 1 } });
    expect(orderRound(lost)).toMatchObject({ totalMoves: 0 });
  });

  it('takes a resource that a node does not tell of to be there in plenty', () => {
    const input = inputOf({ nodes: { a: 4, 'b!': 1 }, vms: { 'x@a': 3 } });
    const [a, b] = input.nodes;
    const untold = { ...input, nodes: [a, { ...b, allocatable: new Map() }] } as RoundInput;
    expect(orderRound(input).stuck).toBe(1);
    expect(orderRound(untold).stuck).toBe(0);
  });
});

describe('the order as given with the emptiest node as target', () => {
  it('moves a VM again and again', () => {
    const input = inputOf({ nodes: { a: 8, b: 8, c: 8, d: 8 }, vms: { 'x@a': 1, 'p@b': 3, 'q@c': 2 } });
    expect(orderRound(input)).toMatchObject({ mostMoves: 1, totalMoves: 3 });
    // x goes to the empty d, and has to leave it again; p and q go to what is empty by then.
    expect(plainRound(input).totalMoves).toBeGreaterThan(3);
  });

  it('goes by the share of what a node has, not by the amount', () => {
    const small = inputOf({ nodes: { a: 4, 'large!': 100, 'small!': 10 }, vms: { 'x@a': 1, 'y@large': 50 } });
    expect(plainRound(small)).toEqual({ mostMoves: 1, totalMoves: 1, stuck: 0 });
  });
});
