import type { JsonObject } from '../../kubevirt/json.ts';
import type { Migration, Pod, Vmi } from '../../kubevirt/objects.ts';
import type { Course, Step } from './course.ts';
import { fieldsOf } from './fields.ts';

/** What the real control plane chose by chance; a replay chooses the same, and nothing else comes from the recording. */
export class RecordedChoices {
  readonly #real: Course;
  readonly #ours: Course;
  /** When migrations got their target pods in the recording. */
  readonly #starts: readonly number[];

  constructor(real: Course, ours: Course) {
    this.#real = real;
    this.#ours = ours;
    this.#starts = startsIn(real);
  }

  /** The node that the pod was bound to. */
  nodeOf(pod: Pod): string | undefined {
    const steps = this.#real.objects.get(`Pod/${this.#ours.names.of(pod.metadata.name)}`)?.fields.get('node');
    return steps?.find(({ value }) => value !== undefined)?.value;
  }

  /** Those whose turn came first in the recording, first; the others behind, as they were. */
  readonly inOrder = (vmis: readonly Vmi[]): Vmi[] => {
    const turn = (vmi: Vmi): number => this.#updatedAt(vmi.metadata.name) ?? Number.POSITIVE_INFINITY;
    return [...vmis].sort((a, b) => turn(a) - turn(b) || 0);
  };

  /** All that got their target pods earlier in the recording have theirs. One that got none there comes behind all that did. */
  isNext(migration: Migration): boolean {
    const turn = this.#startedAt(migration) ?? Number.POSITIVE_INFINITY;
    const before = this.#starts.filter((at) => at < turn).length;
    return before <= startsIn(this.#ours).length;
  }

  /**
   * Whether virt-controller saw its own write before it looked again. Without a rest between passes it is chance which comes first, and
   * much depends on it: over a count that it has not seen its next patch fails, and over a migration that it has not seen it
   * stops, both for five seconds.
   */
  isSeenAtOnce(kind: string, object: JsonObject | undefined, second: number): boolean {
    if (kind === MIGRATION) {
      return this.#updatesBy(this.#real, second + SOON_SECONDS) > this.#updatesBy(this.#ours) + 1;
    }
    const count = kind === 'KubeVirt' && object && fieldsOf(kind, object).get('outdated');
    if (count === false || count === undefined) return false;
    const counts = this.#real.objects.get('KubeVirt/kubevirt')?.fields.get('outdated') ?? [];
    const index = counts.findIndex(({ value }) => value === count);
    const [here, next] = counts.slice(index, index + 2);
    return index >= 0 && here !== undefined && next !== undefined && next.at - here.at < REST_SECONDS;
  }

  /** Migrations that the updater has created up to a second. */
  #updatesBy({ objects }: Course, second = Number.POSITIVE_INFINITY): number {
    return [...objects].filter(([name, { fields }]) => {
      const created =
        name.startsWith(MIGRATION) && fields.get('annotation kubevirt.io/workloadUpdateMigration')?.[0];
      return created && created.at <= second;
    }).length;
  }

  #updatedAt(vmi: string): number | undefined {
    const events = this.#real.objects.get(`VirtualMachineInstance/${vmi}`)?.events ?? [];
    return events.find(({ text }) => text.includes('automated workload update') || text.includes('Evict'))
      ?.at;
  }

  #startedAt(migration: Migration): number | undefined {
    const name = this.#ours.names.of(migration.metadata.name);
    return startOf(this.#real.objects.get(`${MIGRATION}/${name}`)?.fields.get('phase'));
  }
}

/** Two courses may be so far apart. */
const SOON_SECONDS = 0.5;
/** Shorter than the rest after a failure. */
const REST_SECONDS = 4.5;

const MIGRATION = 'VirtualMachineInstanceMigration';

function startOf(phases: readonly Step[] = []): number | undefined {
  return phases.find(({ value }) => value === 'Scheduling')?.at;
}

/** When migrations got their target pods. */
function startsIn({ objects }: Course): number[] {
  return [...objects].flatMap(([name, { fields }]) =>
    name.startsWith(MIGRATION) ? (startOf(fields.get('phase')) ?? []) : [],
  );
}
