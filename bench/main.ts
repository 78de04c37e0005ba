import { readdirSync } from 'node:fs';
import { countOf, refuse, scriptFlags } from '../src/main/script-flags.ts';
import { type Bench, type Measurement, medianOf } from './measure.ts';

const USAGE = `usage: npm run bench -- [NAME…] [flags]

Runs the benches whose name contains one of the words, one after another, and prints the medians; all if
there is no word. One alone that has a report prints that instead.

  --json         JSON
  --full         Large inputs and more repetitions
  --vms NUMBER   How many VMs, for benches that take any number`;

/** Every `bench/*.bench.ts` exports a `bench`. */
const { values, positionals } = scriptFlags(USAGE, {
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    vms: { type: 'string' },
  },
});
const options = {
  full: values.full,
  vms: values.vms === undefined ? undefined : countOf(USAGE, 'vms', values.vms),
};

async function benches(): Promise<Bench[]> {
  const folder = new URL('./', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.bench.ts'));
  const modules = files.sort().map((file) => import(new URL(file, folder).href) as Promise<{ bench: Bench }>);
  const all = (await Promise.all(modules)).map(({ bench }) => bench);
  const asked = ({ name }: Bench): boolean => positionals.some((word) => name.includes(word));
  return positionals.length === 0 ? all : all.filter(asked);
}

function table(rows: readonly (Measurement & { bench: string })[]): string {
  const width = (texts: readonly string[]): number => Math.max(...texts.map((text) => text.length));
  const names = rows.map(({ bench, name }) => `${bench}: ${name}`);
  const numbers = rows.map(({ value }) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3)));
  const lines = rows.map(
    ({ unit }, i) =>
      `${(names[i] ?? '').padEnd(width(names))}  ${(numbers[i] ?? '').padStart(width(numbers))} ${unit}`,
  );
  return lines.join('\n');
}

async function printMedians(asked: readonly Bench[]): Promise<void> {
  const repetitions = values.full ? 11 : 5;
  const rows: (Measurement & { bench: string })[] = [];
  for (const bench of asked) {
    const measured = await medianOf(bench, options, repetitions);
    rows.push(...measured.map((measurement) => ({ bench: bench.name, ...measurement })));
  }
  console.log(values.json ? JSON.stringify(rows, null, 2) : table(rows));
}

const asked = await benches();
const [first, second] = asked;
if (first === undefined) refuse(USAGE, `no bench is named like ${positionals.join(', ')}`);
if (first.report && second === undefined) {
  const { facts, text } = await first.report(options);
  console.log(values.json ? JSON.stringify(facts, null, 2) : text);
} else {
  await printMedians(asked);
}
