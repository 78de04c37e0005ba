import { resourceUsage } from 'node:process';
import { beginningOfScenario } from '../src/rehearsal/prepare.ts';
import { runScenario } from '../src/rehearsal/run.ts';
import { type Scenario, scenarioSchema } from '../src/scenario/schema.ts';
import type { Bench, BenchOptions, Measurement, Report } from './measure.ts';

/** A whole upgrade of a fleet in virtual time: every VM moves to another node, with the real limits on how many at once. */
export const bench: Bench = { name: 'simulate', run: measurements, report };

const VMS = 2000;
const VMS_PER_NODE = 40;

interface SimulationFacts {
  readonly vms: number;
  readonly nodes: number;
  /** From the scenario to the result. */
  readonly seconds: number;
  /** Changes of objects, which everybody hears of. */
  readonly events: number;
  readonly eventsPerSecond: number;
  readonly peakMiB: number;
  readonly simulatedSeconds: number;
  readonly counts: object;
}

async function measurements(options: BenchOptions): Promise<Measurement[]> {
  const { vms, seconds, eventsPerSecond, peakMiB } = await simulate(options);
  return [
    { name: `upgrade of ${vms} VMs`, value: seconds, unit: 's' },
    { name: 'changes of objects', value: eventsPerSecond, unit: '/s' },
    { name: 'peak of memory', value: peakMiB, unit: 'MiB' },
  ];
}

async function report(options: BenchOptions): Promise<Report> {
  const facts = await simulate(options);
  const { vms, nodes, seconds, events, eventsPerSecond, peakMiB, simulatedSeconds } = facts;
  const text = [
    `upgrade of ${vms} VMs on ${nodes} nodes: ${seconds.toFixed(2)} s, ${peakMiB} MiB`,
    `${events} changes of objects, ${eventsPerSecond} per second; ${simulatedSeconds} s of virtual time`,
    JSON.stringify(facts.counts),
  ].join('\n');
  return { facts, text };
}

async function simulate({ vms = VMS, full }: BenchOptions): Promise<SimulationFacts> {
  const startedAt = performance.now();
  const scenario = upgradeOf(full ? 10_000 : vms);
  let events = 0;
  const result = await runScenario(scenario, beginningOfScenario(scenario), {
    ...{ seed: 1, keepsEvents: false },
    onStart: ({ simulated }) => void simulated.cluster.subscribe(() => void events++),
  });
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    ...{ vms: scenario.cluster.fleet?.vms ?? 0, nodes: result.nodes.length, seconds, events },
    eventsPerSecond: Math.round(events / seconds),
    peakMiB: Math.round(resourceUsage().maxRSS / 1024),
    ...{ simulatedSeconds: result.seconds, counts: result.counts },
  };
}

/** With wide limits, as a fleet of this size has them; with KubeVirt's five at once the virtual time is longer, and nothing else. */
function upgradeOf(vms: number): Scenario {
  const nodes = Math.max(2, Math.ceil(vms / VMS_PER_NODE));
  return scenarioSchema.parse({
    title: `Upgrade of ${vms} VMs`,
    cluster: {
      kubevirt: {
        methods: ['LiveMigrate', 'Evict'],
        batchEvictionSize: 50,
        migrations: { parallelMigrationsPerCluster: 2 * nodes, parallelOutboundMigrationsPerNode: 2 },
      },
      fleet: { nodes, vms, migratable: 0.95 },
    },
    settings: { until: '1000h' },
    timeline: [{ at: '1s', upgrade: { launcherImage: 'L2' } }],
  });
}
