import type { Fleet } from '../../fleet/fleet.ts';
import type { Migration, Pod, Vmi } from '../../kubevirt/objects.ts';
import type { Course, Step } from './course.ts';

/** What the real control plane chose by chance; a replay chooses the same, and nothing else comes from the recording. */
export class RecordedChoices {
  readonly #real: Course;
  readonly #ours: Course;
  /** How many migrations got a target pod in the recording. */
  readonly #started: number;
  readonly #seenStarted = new Set<string>();

  constructor(real: Course, ours: Course) {
    this.#real = real;
    this.#ours = ours;
    this.#started = [...real.objects].filter(
      ([name, { fields }]) => name.startsWith(MIGRATION) && startOf(fields.get('phase')) !== undefined,
    ).length;
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

  /**
   * No other migration waits that got its target pod earlier in the recording. One that got none there comes behind all that did.
   */
  isNext(migration: Migration, fleet: Fleet): boolean {
    const turn = this.#startedAt(migration);
    const all = [...fleet.all('VirtualMachineInstanceMigration')];
    if (turn === undefined) return this.#started <= this.#haveStarted(all);
    return !all.some((other) => {
      const before = isPending(other) ? this.#startedAt(other) : undefined;
      return before !== undefined && before < turn;
    });
  }

  /** Migrations that have left Pending; those that are gone again have, too. */
  #haveStarted(migrations: readonly Migration[]): number {
    for (const migration of migrations) {
      if (!isPending(migration)) this.#seenStarted.add(migration.metadata.name);
    }
    return this.#seenStarted.size;
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

function isPending({ status }: Migration): boolean {
  return (status?.phase ?? 'Pending') === 'Pending';
}
