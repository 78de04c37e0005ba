/** Objects on their way through the webhooks. */
import type { JsonObject } from '../../kubevirt/json.ts';
import type { KubeVirt, Vmi } from '../../kubevirt/objects.ts';
import { KUBEVIRT_ACCOUNT, type Requester } from '../../kubevirt/requester.ts';
import { type AdmissionLookup, admitCreation } from './admit-creation.ts';

const NOW = 1_772_366_400_000;

export interface Facts {
  kubevirt?: KubeVirt;
  vmi?: Vmi;
  requester?: Requester;
  behavior?: 'exact' | 'intended';
  labelled?: ReturnType<AdmissionLookup['migrationsLabelled']>;
}

export function lookup({
  kubevirt,
  vmi,
  requester = { account: KUBEVIRT_ACCOUNT.controller },
  behavior = 'exact',
  labelled = [],
}: Facts = {}) {
  return {
    behavior,
    now: NOW,
    requester,
    kubevirt: () => kubevirt,
    vmi: (_: string, name: string) => (vmi?.metadata.name === name ? vmi : undefined),
    migrationsLabelled: (_: string, name: string) => labelled.filter(({ spec }) => spec?.vmiName === name),
  };
}

export const json = (object: object): JsonObject => JSON.parse(JSON.stringify(object));

export function created(
  kind: Parameters<typeof admitCreation>[0],
  object: object,
  facts: Facts = {},
): JsonObject {
  const answer = admitCreation(kind, json(object), lookup(facts));
  if (!answer.allowed) throw new Error(answer.message);
  return answer.object;
}
