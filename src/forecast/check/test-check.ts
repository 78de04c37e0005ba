/** A cluster that answers evictions as it is told to. */
import type { EvictionCall } from '../../controllers/ports.ts';
import type { ApiResult } from '../../decide/api-result.ts';
import type { Lookup } from '../../decide/eviction/lookup.ts';
import { Fleet, type Kind, type KindMap } from '../../fleet/fleet.ts';
import { aKubeVirt, aPod, aVmi } from '../../kubevirt/builders.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import { keyOf } from '../../kubevirt/predicates.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { type CheckCluster, type CheckOptions, checkEvictions } from './check.ts';
import type { CheckedPod } from './report.ts';

export const SUCCESS: ApiResult = { ok: true, name: 'x' };
export const refusal = (message: string, code = 429): ApiResult => ({ ok: false, code, message });

export const LAUNCHER =
  'admission webhook "virt-launcher-eviction-interceptor.kubevirt.io" denied the request: ';

export const triggered = refusal(`${LAUNCHER}Eviction triggered evacuation of VMI "shop/db"`);
export const movable = () => aVmi().on('n1').strategy('LiveMigrate').migratable();
export const launcherOf = (vmi: Vmi, pod = 'virt-launcher-db-1') => aPod(pod).launcherOf(vmi).on('n1');

/** A cluster that has what a fleet has, and answers each eviction with the next of the answers. */
class FakeCluster implements CheckCluster {
  readonly objects = new Map<string, object | Error>();
  readonly calls: EvictionCall[] = [];
  readonly answers: ApiResult[];
  onEvict: () => void = () => {};

  constructor(...answers: ApiResult[]) {
    this.answers = answers;
  }

  async get<K extends Kind>(kind: K, key: string): Promise<Lookup<KindMap[K]>> {
    const held = this.objects.get(`${kind} ${key}`);
    if (held instanceof Error) return { error: held.message };
    return held ? { found: held as KindMap[K] } : { missing: true, message: `${key} not found` };
  }

  async evict(call: EvictionCall): Promise<ApiResult> {
    this.calls.push(call);
    this.onEvict();
    return this.answers.length > 1 ? (this.answers.shift() as ApiResult) : (this.answers[0] ?? SUCCESS);
  }
}

/** A fleet and a cluster with the same VMIs and pods. */
export function world(vmis: readonly Vmi[], pods: readonly Pod[], ...answers: ApiResult[]) {
  const fleet = new Fleet();
  const cluster = new FakeCluster(...answers);
  const put = <K extends Kind>(kind: K, object: KindMap[K]): void => {
    fleet.apply(kind, object);
    cluster.objects.set(`${kind} ${keyOf(object)}`, object);
  };
  fleet.apply('KubeVirt', aKubeVirt().build());
  for (const vmi of vmis) put('VirtualMachineInstance', vmi);
  for (const pod of pods) put('Pod', pod);
  for (const kind of ['PodDisruptionBudget', 'VirtualMachine', 'Namespace', 'Node'] as const)
    fleet.noteKnown(kind);
  return { fleet, cluster, put };
}

export async function check(
  { fleet, cluster }: ReturnType<typeof world>,
  change: Partial<CheckOptions> = {},
) {
  const clock = new VirtualClock(1_000_000);
  const report = checkEvictions(fleet, cluster, { clock, parallel: 4, perSecond: 100, ...change });
  await clock.advance(60);
  return report;
}

export async function checkOne(
  vmi: Vmi,
  answers: ApiResult[],
  change: (made: ReturnType<typeof world>) => void = () => {},
): Promise<CheckedPod | undefined> {
  const made = world([vmi], [launcherOf(vmi).build()], ...answers);
  change(made);
  return (await check(made)).status.pods[0];
}
