/** One number of a bench: what, how much, in which unit. Smaller is better unless the unit ends in `/s`. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

export interface BenchOptions {
  /** Large inputs and more repetitions. */
  readonly full: boolean;
  /** How many VMs, for benches that take any number. */
  readonly vms?: number | undefined;
}

/** What a bench finds where medians of a few numbers do not tell it: the facts for programs, the text for people. */
export interface Report {
  readonly facts: object;
  readonly text: string;
}

/** One bench: measures once and gives its numbers, the same names each time. */
export interface Bench {
  readonly name: string;
  readonly run: (options: BenchOptions) => Promise<readonly Measurement[]>;
  /** Takes the place of `run` when this bench alone is asked for. */
  readonly report?: (options: BenchOptions) => Promise<Report>;
}

/** Runs a bench several times and gives the median of each of its numbers, in the order of the first run. */
export async function medianOf(
  bench: Bench,
  options: BenchOptions,
  repetitions: number,
): Promise<Measurement[]> {
  const values = new Map<string, { unit: string; values: number[] }>();
  for (let i = 0; i < repetitions; i += 1) {
    for (const { name, unit, value } of await bench.run(options)) {
      const known = values.get(name);
      if (known) known.values.push(value);
      else values.set(name, { unit, values: [value] });
    }
  }
  return [...values].map(([name, measured]) => ({
    name,
    unit: measured.unit,
    value: median(measured.values),
  }));
}

/** The middle value; of two middle ones their mean; of none NaN. */
export function median(values: readonly number[]): number {
  const ordered = [...values].sort((a, b) => a - b);
  const middle = Math.floor(ordered.length / 2);
  const upper = ordered[middle] ?? Number.NaN;
  return ordered.length % 2 === 1 ? upper : ((ordered[middle - 1] ?? Number.NaN) + upper) / 2;
}
