import type { Migration, Pod, Vmi } from '../../kubevirt/objects.ts';
import type { Course, Step } from './course.ts';

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
