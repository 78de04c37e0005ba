import type { WorkQueue } from '../../../controllers/work-queue.ts';
import { currentPod } from '../../../decide/current-pod.ts';
import type { EventDraft } from '../../../decide/events.ts';
import type { MigrationSubject } from '../../../decide/migration/subject.ts';
import type { Behavior } from '../../../decide/rules.ts';
import { resolveSettings, type Settings } from '../../../decide/settings.ts';
import { vmiKeyOf } from '../../../decide/workload-update/survey.ts';
import type { Fleet } from '../../../fleet/fleet.ts';
import { COMPUTE_CONTAINER } from '../../../kubevirt/names.ts';
import type { Migration, Pod, Vmi } from '../../../kubevirt/objects.ts';
import type { Instant } from '../../../kubevirt/time.ts';
import type { ActorContext } from '../actor.ts';
import { CapWaiters } from './cap-waiters.ts';
import { Creations } from './creations.ts';
import type { MigrationPicture } from './picture.ts';

export interface MigrationControllerOptions {
  readonly behavior: Behavior;
  /** The image that launchers are started from now; undefined: that of the launcher that is left. */
  readonly launcherImage: () => string | undefined;
  /**
   * Whether a migration that may have its target pod now gets it; yes where absent. Asked again whenever a target pod has come or
   * a migration has another phase, so that a course that is known beforehand can be followed.
   */
  readonly mayStart?: ((migration: Migration, vmi: Vmi) => boolean) | undefined;
}

/** A pass over one migration: it, its VMI, and what belongs to both. */
export interface Pass extends MigrationSubject {
  readonly key: string;
}

/** What a pass over the VMI came to. */
export interface Outcome {
  /** Another try may mend it. */
  readonly error?: string | undefined;
  /** Why the target pod could not be created. */
  readonly creationError?: string | undefined;
  /** A cap holds the migration back. */
  readonly waits?: boolean | undefined;
}

/** Who events come from. */
const COMPONENT = 'virtualmachine-controller';

/** What all parts of the controller share, and what it remembers. */
export class Desk {
  readonly context: ActorContext;
  readonly options: MigrationControllerOptions;
  readonly picture: MigrationPicture;
  readonly queue: WorkQueue;
  readonly waiters = new CapWaiters();
  readonly creations: Creations;
  /** Migrations that were handed off, which the VMI may not show yet. */
  readonly handedOff = new Set<string>();
  /** Migrations that `mayStart` holds back. */
  readonly heldBack = new Set<string>();
  /** The number of `picture.occupations` when pending migrations were last woken. */
  occupationsAtWake = -1;

  constructor(
    context: ActorContext,
    options: MigrationControllerOptions,
    picture: MigrationPicture,
    queue: WorkQueue,
  ) {
    this.context = context;
    this.options = options;
    this.picture = picture;
    this.queue = queue;
    this.creations = new Creations(context.clock);
  }

  get fleet(): Fleet {
    return this.context.cluster.fleet;
  }

  /** What a launcher is started from now that takes the place of this one. */
  imageAfter(launcher: Pod): string {
    const compute = launcher.spec?.containers?.find(({ name }) => name === COMPUTE_CONTAINER);
    return this.options.launcherImage() ?? compute?.image ?? '';
  }

  /** The cluster's settings of now. */
  settings(): Settings {
    return resolveSettings(this.fleet.kubevirt());
  }

  /** Whether one more migration may leave a node now. Undefined: from none, since the cluster has no place. */
  placesOfNow(): ((node: string) => boolean) | undefined {
    const { parallelMigrationsPerCluster: most, parallelOutboundMigrationsPerNode: mostOutbound } =
      this.settings().migrations;
    const { taken } = this.picture;
    if (taken.inCluster >= most) return undefined;
    this.waiters.reopen(this.picture.takeLeft());
    return (node) => taken.outboundFrom(node) < mostOutbound;
  }

  /** A cap holds the migration back. */
  letSleep(key: string, node: string, retrySeconds: number, now: Instant): void {
    this.waiters.enter(key, node, retrySeconds, now);
    this.picture.letSleep(key);
  }

  /** No cap holds the migration back any more, as far as is known. */
  letAsk(key: string): void {
    this.waiters.leave(key);
    this.picture.letAsk(key);
  }

  tell(...events: readonly EventDraft[]): void {
    for (const event of events) this.context.cluster.recordEvent(event, COMPONENT);
  }

  /** A pass over the migration as the fleet has it. */
  passOver(key: string, migration: Migration): Pass {
    const vmi = this.fleet.get('VirtualMachineInstance', vmiKeyOf(migration));
    const targetPod = vmi && this.picture.targetPodOf(migration, vmi);
    return {
      key,
      migration,
      vmi,
      sourcePod: vmi && currentPod(vmi, this.fleet.podsOf(vmi)),
      targetPod,
      attachmentPod: targetPod && this.fleet.hotplugPodsOf(targetPod)[0],
      stateOwner: this.picture.byUid(vmi?.status?.migrationState?.migrationUid),
      handedOff: this.handedOff.has(key),
      settings: this.settings(),
      now: this.context.clock.now(),
    };
  }
}
