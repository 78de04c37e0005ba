import type { Fleet } from '../../fleet/fleet.ts';
import type { ForecastOptions } from '../context.ts';
import type { Forecast } from '../forecast.ts';
import { DRAIN_DEFAULTS } from '../questions.ts';
import { planDrain } from './drain.ts';
import { planEvict, vmiNamed } from './evict.ts';
import { planUpgrade } from './upgrade.ts';

/**
 * Every forecast that concerns one VM: the next upgrade, a drain of its node, one eviction request.
 *
 * Promise: each is the very forecast that `plan` gives, about this VM alone and with every rule that was tried.
 */
export function explainVmi(fleet: Fleet, vm: string, options: ForecastOptions): Forecast[] {
  const vmi = vmiNamed(fleet, vm);
  const alone = { ...options, explain: true, scope: { vm } };
  const node = vmi.status?.nodeName;
  return [
    planUpgrade(fleet, {}, alone),
    ...(node ? [planDrain(fleet, { ...DRAIN_DEFAULTS, nodes: [node] }, alone)] : []),
    planEvict(fleet, { vms: [vm] }, alone),
  ];
}
