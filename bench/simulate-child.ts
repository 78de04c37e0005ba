/** Plays one upgrade and prints the facts as JSON; `bench/simulate.bench.ts` bundles and starts it. */
import { resourceUsage } from 'node:process';
import { beginningOfScenario } from '../src/rehearsal/beginning/prepare.ts';
import { runScenario } from '../src/rehearsal/run.ts';
import { type Scenario, scenarioSchema } from '../src/scenario/schema.ts';
import type { SimulationFacts } from './simulate.bench.ts';

const VMS_PER_NODE = 40;

console.log(JSON.stringify(await simulate(Number(process.argv[2]))));

async function simulate(vms: number): Promise<SimulationFacts> {
  const startedAt = performance.now();
  const scenario = upgradeOf(vms);
  let events = 0;
  const result = await runScenario(scenario, beginningOfScenario(scenario), {
    ...{ seed: 1, keepsEvents: false },
    onStart: ({ simulated }) => void simulated.cluster.subscribe(() => void events++),
  });
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    ...{ vms, nodes: result.nodes.length, seconds, events },
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
