import {
  admitEviction,
  type EvictionAnswer,
  type EvictionFacts,
  type EvictionNeed,
  isEvictionAnswer,
} from '../decide/eviction/admit.ts';
import type { PatchOutcome } from '../decide/eviction/mark.ts';
import { EVICTION_WEBHOOK_PATH } from '../decide/eviction/registration.ts';
import type { Behavior } from '../decide/rules.ts';
import type { Settings } from '../decide/settings.ts';
import { refusedLate } from './late.ts';
import type { AdmissionCluster, AdmissionWebhook } from './ports.ts';

export interface EvictionWebhookOptions {
  readonly cluster: AdmissionCluster;
  /** The settings in force, asked for each eviction. */
  readonly settings: () => Settings;
  readonly behavior: Behavior;
}

/** KubeVirt's webhook for evictions of launcher and attachment pods. */
export function evictionWebhook(options: EvictionWebhookOptions): AdmissionWebhook {
  const { cluster, behavior } = options;
  return {
    name: 'pod-eviction',
    path: EVICTION_WEBHOOK_PATH,
    decide: ({ request }, isLate = () => false) =>
      answerOf({ cluster, isLate }, { request, behavior, settings: options.settings() }),
    late: refusedLate,
  };
}

interface Access {
  readonly cluster: AdmissionCluster;
  readonly isLate: () => boolean;
}

/** Fetches what the decision asks for, one thing after another, until it is made. */
async function answerOf(access: Access, facts: EvictionFacts): Promise<EvictionAnswer> {
  const step = admitEviction(facts);
  if (isEvictionAnswer(step)) return step;
  return answerOf(access, { ...facts, [step.need]: await obtain(access, step) });
}

async function obtain({ cluster, isLate }: Access, step: EvictionNeed): Promise<unknown> {
  const key = `${step.namespace}/${step.name}`;
  switch (step.need) {
    case 'pod':
    case 'owner':
      return cluster.get('Pod', key);
    case 'vmi':
      return cluster.get('VirtualMachineInstance', key);
    case 'patch':
      // Whoever asked was told to try again: no mark may follow that.
      return isLate() ? { error: 'it is too late' } : mark(cluster, key, step);
  }
}

async function mark(
  cluster: AdmissionCluster,
  key: string,
  { patch, dryRun }: Extract<EvictionNeed, { need: 'patch' }>,
): Promise<PatchOutcome> {
  const result = await cluster.patch('VirtualMachineInstance', key, patch, { dryRun });
  return result.ok ? { patched: true } : { error: result.message };
}
