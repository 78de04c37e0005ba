import { nodesWithoutReadyHandler } from '../../../decide/operator/handlers.ts';
import { compareText } from '../../../kubevirt/order.ts';
import { keyOf } from '../../../kubevirt/predicates.ts';
import { firstOf } from '../../../kubevirt/words.ts';
import type { Context } from '../../context.ts';

/** What keeps an upgrade of the control plane from being done, so that nothing comes to any VM. */
export function upgradeWarnings({ fleet }: Context): string[] {
  const nodes = nodesWithoutReadyHandler(fleet.all('Node')).map(keyOf).sort(compareText);
  if (nodes.length === 0) return [];
  const [are, each, them] = nodes.length === 1 ? ['is', 'it is', 'it'] : ['are', 'each is', 'them'];
  return [
    `${firstOf(nodes)} ${are} not Ready, and so neither is virt-handler there: virt-operator does not finish an upgrade, and no VM is updated, until ${each} Ready again or deleted. Bring ${them} back first.`,
  ];
}
