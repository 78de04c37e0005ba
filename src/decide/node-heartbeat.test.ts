import { describe, expect, it } from 'vitest';
import { aNode, aPod, aVmi } from '../kubevirt/builders.ts';
import {
  failedWithNode,
  isSilent,
  nodeSilentEvent,
  silentFrom,
  strandedVmis,
  takesVms,
  vmiStrandedEvent,
  withoutVms,
} from './node-heartbeat.ts';

const BEAT = '2026-03-01T12:00:00Z';
const AT = Date.parse(BEAT);
const beating = () => aNode('n1').annotated('kubevirt.io/heartbeat', BEAT);

describe('a silent node', () => {
  it.each([
    ['at the limit', AT + 300_000, false],
    ['beyond it', AT + 300_001, true],
    ['just after a heartbeat', AT, false],
  ])('%s', (_, now, silent) => {
    expect(isSilent(beating().build(), now)).toBe(silent);
  });

  it('is one that is gone, not one that never beat', () => {
    expect(isSilent(undefined, AT)).toBe(true);
    expect(isSilent(aNode().build(), AT)).toBe(false);
    expect(silentFrom(aNode().build())).toBeUndefined();
    expect(silentFrom(beating().build())).toBe(AT + 300_000);
  });

  it('takes no more VMs', () => {
    const node = aNode('n1').labelled('kubevirt.io/schedulable', 'true').build();
    expect(takesVms(node)).toBe(true);
    const changed = withoutVms(node);
    expect(changed?.metadata.labels).toEqual({
      'kubernetes.io/hostname': 'n1',
      'kubevirt.io/schedulable': 'false',
    });
    expect(changed && withoutVms(changed)).toBeUndefined();
    expect(takesVms(aNode().build())).toBe(false);
  });
});

describe('VMIs on it', () => {
  const vmi = (name: string) => aVmi(name).on('n1');
  const launcher = (name: string) => aPod(`l-${name}`).launcherOf(aVmi(name).build());

  it.each([
    ['without a pod', vmi('a'), [], true],
    ['that was only scheduled', vmi('a').phase('Scheduled'), [], true],
    ['with a living launcher', vmi('a'), [launcher('a')], false],
    ['with a launcher on its way out', vmi('a'), [launcher('a').deleting()], false],
    ['with the launcher of another', vmi('a'), [launcher('b')], true],
    ['with an ended launcher', vmi('a'), [launcher('a').phase('Failed')], true],
    ['with another pod', vmi('a'), [launcher('a').labelled('kubevirt.io', 'other')], true],
    ['that has ended', vmi('a').phase('Succeeded'), [], false],
    ['that is elsewhere', aVmi('a').on('n2'), [], false],
  ])('%s', (_, of, pods, stranded) => {
    const found = strandedVmis(
      'n1',
      [of.build()],
      pods.map((pod) => pod.build()),
    );
    expect(found.map(({ metadata }) => metadata.name)).toEqual(stranded ? ['a'] : []);
  });

  it('fail with the node, unless they have ended', () => {
    expect(failedWithNode(vmi('a').build())?.status).toEqual({
      phase: 'Failed',
      reason: 'NodeUnresponsive',
      nodeName: 'n1',
    });
    expect(failedWithNode(vmi('a').phase('Scheduled').build())?.status?.phase).toBe('Failed');
    expect(failedWithNode(vmi('a').phase('Succeeded').build())).toBeUndefined();
    expect(failedWithNode({ metadata: { name: 'a' } })).toBeUndefined();
  });
});

it('is told', () => {
  expect(nodeSilentEvent(beating().build())).toEqual({
    kind: 'Node',
    name: 'n1',
    type: 'Normal',
    reason: 'NodeUnresponsive',
    message: 'virt-handler is not responsive, marking node as unresponsive',
  });
  expect(vmiStrandedEvent(aVmi('a').on('n1').build())).toEqual({
    kind: 'VirtualMachineInstance',
    namespace: 'shop',
    name: 'a',
    type: 'Normal',
    reason: 'NodeUnresponsive',
    message: 'virt-handler on node n1 is not responsive, marking VMI as failed',
  });
});
