/** Measures one fleet and prints the numbers as JSON; `bench/classify.bench.ts` starts it, with `--expose-gc`. */
import { performance } from 'node:perf_hooks';
import { surveyVmis } from '../src/decide/workload-update/survey.ts';
import type { Fleet } from '../src/fleet/fleet.ts';
import { Rollout } from '../src/fleet/rollout.ts';
import type { Migration, Vmi } from '../src/kubevirt/objects.ts';
import { keyOf } from '../src/kubevirt/predicates.ts';
import { decodedVmis, fleetOfVmis, outdate } from './classify-fleet.ts';
import { FLEET_NOW } from './fleet/traits.ts';
import { CURRENT_IMAGE, OUTDATED_IMAGE } from './fleet-generator.ts';
import { type Measurement, median } from './measure.ts';
import { naivePass, type PassCounts } from './naive-pass.ts';

const SETTINGS = {
  launcherImage: CURRENT_IMAGE,
  methods: ['LiveMigrate', 'Evict'],
  behavior: 'exact',
} as const;
const NOW = Date.parse(FLEET_NOW);
const TRIES = 9;
const EVENTS = 10_000;

const count = Number(process.argv[2]);
const measured: Measurement[] = [];
const [fleet, rollout] = measureHeap();
measureEvents(fleet, rollout);
measurePasses(fleet);
console.log(JSON.stringify(measured));

function note(name: string, unit: string, value: number): void {
  measured.push({ name, unit, value });
}

function heapBytes(): number {
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function measureHeap(): [Fleet, Rollout] {
  const before = heapBytes();
  const held = fleetOfVmis(count);
  const withFleet = heapBytes();
  const looked = took(() => new Rollout(held, SETTINGS, NOW));
  noteBoth('first picture', looked);
  const after = heapBytes();
  note('heap a VMI', 'bytes', (after - before) / count);
  note('heap a VMI, picture alone', 'bytes', (after - withFleet) / count);
  return [held, looked.result];
}

/** Every so manyth VMI, so that neighbours in time are none in memory. */
function spread(held: Fleet): Vmi[] {
  const vmis = [...held.all('VirtualMachineInstance')];
  return Array.from({ length: EVENTS }, (_, i) => vmis[(i * 7_919) % vmis.length] as Vmi);
}

function measureEvents(held: Fleet, picture: Rollout): void {
  const vmis = spread(held);
  const changed = vmis.map((vmi, i) => {
    const launcherContainerImageVersion = i % 2 === 0 ? CURRENT_IMAGE : OUTDATED_IMAGE;
    return { ...vmi, status: { ...vmi.status, launcherContainerImageVersion } };
  });
  noteEach('event: a VMI changes', changed, (vmi) => held.apply('VirtualMachineInstance', vmi));
  const migrations = vmis.map(migrationOf);
  noteEach('event: a migration comes', migrations, (migration) =>
    held.apply('VirtualMachineInstanceMigration', migration),
  );
  noteEach('event: a migration goes', migrations, (migration) =>
    held.remove('VirtualMachineInstanceMigration', keyOf(migration)),
  );
  noteEach('read the lists', vmis, () => picture.survey(NOW));
}

function migrationOf({ metadata: { name, namespace } }: Vmi, index: number): Migration {
  const metadata = { name: `kubevirt-workload-update-${index}`, namespace };
  return { metadata, spec: { vmiName: name }, status: { phase: 'Running' } };
}

/** Each by its own clock: the median is the cost, the rare ones above it are the collector's and the compiler's. */
function noteEach<T>(name: string, each: readonly T[], act: (one: T) => void): void {
  const wallUs: number[] = [];
  const { cpuMs } = took(() => {
    for (const one of each) {
      const start = performance.now();
      act(one);
      wallUs.push((performance.now() - start) * 1000);
    }
  });
  wallUs.sort((a, b) => a - b);
  note(name, 'µs', median(wallUs));
  note(`${name}, 99th percentile`, 'µs', wallUs[Math.floor(wallUs.length * 0.99)] ?? Number.NaN);
  note(`${name}, mean CPU, clock and warm-up included`, 'µs', (cpuMs * 1000) / each.length);
}

interface Taken {
  readonly wallMs: number;
  /** Of all threads; steadier than wall time on a busy machine, so ratios are of it. */
  readonly cpuMs: number;
}

function took<T>(act: () => T): Taken & { readonly result: T } {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const result = act();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1000, result };
}

function noteBoth(name: string, { wallMs, cpuMs }: Taken): void {
  note(name, 'ms', wallMs);
  note(`${name}, CPU`, 'ms', cpuMs);
}

/** What so many passes take: the median of several tries, after one that does not count. */
function timed(passes: number, pass: () => PassCounts): Taken {
  const tries = Array.from({ length: TRIES + 1 }, () =>
    took(() => {
      for (let i = 0; i < passes; i++) pass();
    }),
  ).slice(1);
  const wallMs = median(tries.map((taken) => taken.wallMs));
  return { wallMs, cpuMs: median(tries.map((taken) => taken.cpuMs)) };
}

function pass(held: Fleet): PassCounts {
  const vmis = held.all('VirtualMachineInstance');
  const migrations = held.all('VirtualMachineInstanceMigration');
  const found = surveyVmis({ vmis, migrations, ...SETTINGS, now: NOW });
  return {
    outdated: found.outdated.length,
    migrate: found.migratable.length,
    evict: found.evictable.length,
    abort: found.abortable.length,
  };
}

/** The whole fleet, and a tenth of it once more as Drover holds it and as decoded. */
function measurePasses(held: Fleet): void {
  const tenth = fleetOfVmis(count / 10);
  const decoded = [...decodedVmis(count / 10)];
  const vmis = decoded.filter(({ kind }) => kind === 'VirtualMachineInstance');
  const migrations = decoded.filter(({ kind }) => kind !== 'VirtualMachineInstance');
  const naive = (): PassCounts => naivePass(vmis, migrations, CURRENT_IMAGE, NOW);
  noteBoth(
    'first pass of a process',
    took(() => pass(held)),
  );
  for (const percent of [1, 50, 100]) {
    for (const fleetOfIts of [held, tenth]) outdate(fleetOfIts.all('VirtualMachineInstance'), percent);
    outdate(vmis, percent);
    refuseDifference(naive(), pass(tenth));
    noteShare(`pass, ${percent} % outdated`, held, tenth, naive);
  }
}

function noteShare(name: string, held: Fleet, tenth: Fleet, naive: () => PassCounts): void {
  const [whole, parts, naively] = [
    timed(1, () => pass(held)),
    timed(10, () => pass(tenth)),
    timed(10, naive),
  ];
  noteBoth(name, whole);
  note(`${name}, to ten of a tenth of the fleet`, 'times', whole.cpuMs / parts.cpuMs);
  note(`${name}, a tenth of the fleet, to a naive one`, 'times', parts.cpuMs / naively.cpuMs);
}

/** Speed counts only where the answers are the same. */
function refuseDifference(one: PassCounts, other: PassCounts): void {
  const [first, second] = [JSON.stringify(one), JSON.stringify(other)];
  if (first !== second) throw new Error(`the passes differ: ${first} and ${second}`);
}
