/** Pods as kubectl drain sees them. */
import { aPod, aVmi } from '../../kubevirt/builders.ts';
import type { DaemonSet, Pod } from '../../kubevirt/objects.ts';
import { parseInstant } from '../../kubevirt/time.ts';
import { decide } from '../rules.ts';
import { DRAIN_CLIENTS, type DrainFlags, KUBECTL_DEFAULT_FLAGS } from './clients.ts';
import { KUBECTL_SELECTION } from './kubectl-filters.ts';
import type { DrainFacts } from './selection.ts';

export const now = parseInstant('2026-03-01T12:00:00Z') ?? 0;
const present = (name: string): DaemonSet => ({ metadata: { name, namespace: 'shop' } });

const facts: DrainFacts = {
  now,
  knowsDaemonSets: true,
  daemonSet: (namespace, name) => (`${namespace}/${name}` === 'shop/ds' ? present('ds') : undefined),
};

export const flags = (more: Partial<DrainFlags> = {}): DrainFlags => ({ ...KUBECTL_DEFAULT_FLAGS, ...more });

export const judge = (pod: Pod, given: DrainFlags = flags(), known: DrainFacts = facts) =>
  decide(KUBECTL_SELECTION, { client: { ...DRAIN_CLIENTS.kubectl, flags: given }, pod, facts: known });

export const emptyDir = {
  volumes: [{ name: 'a', emptyDir: {} }, { name: 'b' }, { name: 'c', emptyDir: { medium: 'Memory' } }],
};

export const launcher = () => aPod('l').launcherOf(aVmi().build());
export const daemon = (name = 'ds') => aPod('d').ownedBy('DaemonSet', name);
export const bare = () => aPod('b');
