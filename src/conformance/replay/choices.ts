import type { Fleet } from '../../fleet/fleet.ts';
import type { Migration, Pod, Vmi } from '../../kubevirt/objects.ts';
import type { Course } from './course.ts';

/** What the real control plane chose by chance; a replay chooses the same, and nothing else comes from the recording. */
export class RecordedChoices {
  readonly #real: Course;
  readonly #ours: Course;

  constructor(real: Course, ours: Course) {
    this.#real = real;
    this.#ours = ours;
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

  /** No other migration waits that got its target pod earlier in the recording. */
  isNext(migration: Migration, fleet: Fleet): boolean {
    const turn = this.#startedAt(migration);
    if (turn === undefined) return true;
    return ![...fleet.all('VirtualMachineInstanceMigration')].some((other) => {
      const phase = other.status?.phase ?? 'Pending';
      const before = phase === 'Pending' ? this.#startedAt(other) : undefined;
      return before !== undefined && before < turn;
    });
  }

  #updatedAt(vmi: string): number | undefined {
    const events = this.#real.objects.get(`VirtualMachineInstance/${vmi}`)?.events ?? [];
    return events.find(({ text }) => text.includes('automated workload update') || text.includes('Evict'))
      ?.at;
  }

  #startedAt(migration: Migration): number | undefined {
    const name = this.#ours.names.of(migration.metadata.name);
    const steps = this.#real.objects.get(`VirtualMachineInstanceMigration/${name}`)?.fields.get('phase');
    return steps?.find(({ value }) => value === 'Scheduling')?.at;
  }
}
