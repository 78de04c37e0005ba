import type { PassInput, VmiOnNode } from '../../decide/evacuation/pass.ts';
import type { CreationExpectation } from '../../decide/expectations.ts';
import type { CapEntry } from '../../decide/migration/queue.ts';
import { resolveSettings, type Settings } from '../../decide/settings.ts';
import { vmiKeyOf } from '../../decide/workload-update/survey.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { KubeVirt, Vmi } from '../../kubevirt/objects.ts';
import { isMigrationFinal } from '../../kubevirt/predicates.ts';
import type { EvacuationOptions } from './options.ts';

/** What the evacuation controller sees of a node and of the cluster around it. */
export class NodePictures {
  readonly #options: EvacuationOptions;
  #settings: { readonly of: KubeVirt | undefined; readonly are: Settings } | undefined;

  constructor(options: EvacuationOptions) {
    this.#options = options;
  }

  /** The cluster's settings as they are now. Without the right to send priorities, as before there were any. */
  settings(): Settings {
    const kubevirt = this.#options.cluster.fleet.kubevirt();
    if (!this.#settings || this.#settings.of !== kubevirt) {
      this.#settings = { of: kubevirt, are: this.#resolve(kubevirt) };
    }
    return this.#settings.are;
  }

  /** Of a node without the drain taint only marked VMIs are looked at, unless `everybody` is: all others are left alone. */
  look(
    nodeName: string,
    everybody: boolean,
    expectation: CreationExpectation | undefined,
    turns: Pick<PassInput, 'mayMigrate' | 'findsTarget'>,
  ): PassInput {
    const { cluster, clock, behavior } = this.#options;
    const { fleet } = cluster;
    return {
      nodeName,
      node: fleet.get('Node', nodeName),
      vmis: (everybody ? fleet.vmisOn(nodeName) : fleet.markedOn(nodeName)).map((vmi) => onNode(fleet, vmi)),
      expectation,
      unfinished: behavior === 'intended' ? this.#unfinished() : [],
      settings: this.settings(),
      now: clock.now(),
      behavior,
      mayMigrate: turns.mayMigrate,
      findsTarget: turns.findsTarget,
    };
  }

  #resolve(kubevirt: KubeVirt | undefined): Settings {
    const settings = resolveSettings(kubevirt);
    if (this.#options.sendsPriority) return settings;
    return { ...settings, rules: { ...settings.rules, migrationPriorities: false } };
  }

  /** Those in the cache, and those that were sent and are not in it yet. */
  #unfinished(): CapEntry[] {
    const { cluster, inHand } = this.#options;
    const vmiOf = (key: string) => cluster.fleet.get('VirtualMachineInstance', key);
    const seen = [...cluster.fleet.all('VirtualMachineInstanceMigration')]
      .filter((migration) => !isMigrationFinal(migration))
      .map((migration) => ({ migration, vmi: vmiOf(vmiKeyOf(migration)), hasTargetPod: false }));
    const unseen = inHand.unseenMigrations().map((key) => {
      return { migration: { metadata: { name: '' } }, vmi: vmiOf(key), hasTargetPod: false };
    });
    return [...seen, ...unseen];
  }
}

function onNode(fleet: Fleet, vmi: Vmi): VmiOnNode {
  return { vmi, pods: fleet.podsOf(vmi), unfinishedMigrations: fleet.unfinishedMigrationsOf(vmi) };
}
