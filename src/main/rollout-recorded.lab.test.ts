import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type JsonObject, objectAt, objectsAt } from '../kubevirt/json.ts';
import { describeLab } from '../lab/describe-lab.ts';
import { waitFor } from '../lab/wait.ts';
import { logged, type Replica, startReplica } from './test-controller.ts';
import { type Deeds, deedsIn } from './test-invariants.ts';
import {
  areAllCurrent,
  aVmManifest,
  type KubeVirtLab,
  runVms,
  startKubeVirtLab,
} from './test-kubevirt-lab.ts';

/** What the real KubeVirt did with the same VMs under the same strategy. */
const RECORDED = new URL('../../testdata/histories/rollout/history.jsonl.gz', import.meta.url);
const COMPONENT = 'workload-update-controller';
const SIZE = 2;
/** A third of the recorded one, for the time that it takes. */
const INTERVAL_SECONDS = 5;
const FIXED = 'DisksNotLiveMigratable';
const MOVING = ['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'x1'];
const RESTARTING = ['e0', 'e1', 'e2', 'e3', 'e4', 'i1'];
/** Refused for as long as nothing changes. */
const REFUSED = 'x0';

const VMS = [
  aVmManifest(REFUSED, { strategy: 'LiveMigrate', unmigratable: FIXED }),
  ...MOVING.map((name) => aVmManifest(name, { strategy: name === 'x1' ? 'External' : 'LiveMigrate' })),
  ...RESTARTING.map((name) =>
    aVmManifest(name, { strategy: name === 'i1' ? 'LiveMigrateIfPossible' : 'None', unmigratable: FIXED }),
  ),
];

/** Events of the updater, `VMI reason: message`, once each, the names of migrations left out. */
function tellings(
  events: readonly { readonly vmi: string; readonly reason: string; readonly message: string }[],
) {
  const texts = events.map(({ vmi, reason, message }) => `${vmi} ${reason}: ${message}`);
  return [...new Set(texts.map((text) => text.replace(/kubevirt-workload-update-\w+/, 'MIGRATION')))].sort();
}

function recordedTellings(): string[] {
  const lines = gunzipSync(readFileSync(RECORDED)).toString().trim().split('\n');
  const states = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'Event');
  const told = states.map(({ state }) => state).filter(({ component }) => component === COMPONENT);
  return tellings(told.map((event) => ({ ...event, vmi: event.object.split('/')[1] })));
}

describeLab('the recorded roll-out on a real control plane', () => {
  let cluster: KubeVirtLab;
  let replica: Replica;
  let before: Deeds;

  beforeAll(async () => {
    cluster = await startKubeVirtLab({
      nodes: ['n1', 'n2', 'n3', 'n4'].map((name) => ({ name })),
      ...{ methods: ['LiveMigrate', 'Evict'], batchSize: SIZE, batchInterval: `${INTERVAL_SECONDS}s` },
      configuration: { migrations: { parallelMigrationsPerCluster: 20 } },
    });
    await runVms(cluster, VMS);
    before = deedsIn(cluster.lab);
  }, 150_000);
  afterEach(async () => {
    replica?.child.kill('SIGKILL');
    await cluster?.lab.kubectl(['delete', 'events', '--all']);
    await cluster?.lab.kubectl(['delete', 'leases', '--all', '-n', 'drover-system']);
    before = deedsIn(cluster.lab);
  });
  afterAll(() => cluster?.stop());

  async function rollOut(image: string, behavior: string): Promise<Deeds> {
    const { lab, standIn, setImage } = cluster;
    const kubeconfig = await lab.kubeconfigFor({
      user: 'system:serviceaccount:kubevirt:kubevirt-controller',
      groups: ['system:masters'],
    });
    setImage(image);
    replica = startReplica(kubeconfig, '--launcher-image', image, '--behavior', behavior);
    await logged(replica, 'leading');
    await waitFor(() => areAllCurrent(standIn, [...MOVING, ...RESTARTING], image), {
      what: 'all that can be current to be so',
      seconds: 100,
    });
    // In the order of its name the last, so perhaps not asked for before.
    await waitFor(() => deedsIn(lab).refusals.length > before.refusals.length, { what: 'the refusal' });
    const deeds = deedsIn(lab);
    return {
      migrations: deeds.migrations.slice(before.migrations.length),
      evictions: deeds.evictions.slice(before.evictions.length),
      refusals: deeds.refusals.slice(before.refusals.length),
    };
  }

  /** What the updater has told about VMIs, as it stands in the API. */
  async function told(): Promise<string[]> {
    const { stdout } = await cluster.lab.kubectl(['get', 'events', '-o', 'json']);
    const events = objectsAt(JSON.parse(stdout) as JsonObject, 'items').filter((event) =>
      [event.reportingComponent, objectAt(event, 'source').component].includes(COMPONENT),
    );
    return tellings(
      events.map((event) => ({
        vmi: String(objectAt(event, 'involvedObject').name),
        reason: String(event.reason),
        message: String(event.message),
      })),
    );
  }

  function expectSameDeeds({ migrations, evictions, refusals }: Deeds): void {
    const namesOf = (deeds: readonly { readonly vmi: string }[]) =>
      [...deeds.map(({ vmi }) => vmi.replace('default/', ''))].sort();
    expect(namesOf(migrations)).toEqual(MOVING);
    expect(namesOf(evictions)).toEqual(RESTARTING);
    expect(new Set(namesOf(refusals))).toEqual(new Set([REFUSED]));
  }

  const spanSeconds = ({ evictions }: Deeds): number => {
    const times = evictions.map(({ at }) => at);
    return (Math.max(...times) - Math.min(...times)) / 1000;
  };

  it('in exact behaviour: the same migrations, evictions, refusals and events', async () => {
    const deeds = await rollOut('launcher:v2', 'exact');
    expectSameDeeds(deeds);
    await waitFor(async () => (await told()).length >= recordedTellings().length, { what: 'the events' });
    expect(await told()).toEqual(recordedTellings());
  }, 120_000);

  it('in intended behaviour: the same deeds in half the time, and events in other words', async () => {
    const deeds = await rollOut('launcher:v3', 'intended');
    expectSameDeeds(deeds);
    // Who is refused takes no place: six in batches of two are three batches, which is two intervals; there it took four.
    expect(spanSeconds(deeds)).toBeLessThan(2.8 * INTERVAL_SECONDS);
    await waitFor(async () => (await told()).length >= recordedTellings().length, { what: 'the events' });
    const recorded = recordedTellings();
    const ours = await told();
    // The real one prints the error that there was not. All else is as it was recorded.
    expect(ours).toEqual(recorded.map((text) => text.replace(/: <nil>$/, '')));
  }, 120_000);
});
