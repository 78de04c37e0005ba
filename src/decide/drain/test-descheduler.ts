/** Pods as the descheduler sees them. */
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Pod } from '../../kubevirt/objects.ts';
import { decide, type Evidence } from '../rules.ts';
import { DRAIN_CLIENTS, type EvictorSettings } from './clients.ts';
import { DESCHEDULER_SELECTION } from './descheduler.ts';
import type { DrainFacts, Selection } from './selection.ts';

const client = DRAIN_CLIENTS.descheduler;

export const judge = (pod: Pod, settings: Partial<EvictorSettings> = {}, facts: Partial<DrainFacts> = {}) =>
  decide(DESCHEDULER_SELECTION, {
    client: { ...client, evictor: { ...client.evictor, ...settings } },
    pod,
    facts: { now: 0, ...facts },
  });

export const launcher = () => aPod('l').launcherOf(aVmi().build());

export const no = (message: string): Selection => ({
  selected: false,
  message,
  severity: message ? 'warning' : 'none',
});

export const at = (path: string, value: unknown): Evidence[] => [{ object: 'Pod shop/l', path, value }];
