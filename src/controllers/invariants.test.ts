import fc from 'fast-check';
import { expect, it } from 'vitest';
import { aKubeVirt } from '../kubevirt/builders.ts';
import { objectAt } from '../kubevirt/json.ts';
import { evictionWebhook } from '../simulation/eviction-webhook.ts';
import type { StoredChange } from '../simulation/memory-api.ts';
import type { Fault, MemoryCluster, Write } from '../simulation/memory-cluster.ts';
import { seededRandom } from '../simulation/seeded-random.ts';
import { playKubeVirt } from '../simulation/test-actors.ts';
import { DroverProcess } from '../simulation/test-process.ts';
import { anOldVmi, aRoomyNode, launcherOf, MIGRATION, NEW_IMAGE, World } from '../simulation/test-world.ts';

/** Longer than it takes for another process to take over. */
const INTERVAL_SECONDS = 90;
const BATCH_SIZE = 2;
const VMI = 'VirtualMachineInstance';

interface Course {
  readonly seed: number;
  /** Migrations at once. */
  readonly cap: number;
  readonly strategies: readonly string[];
  readonly migratable: readonly boolean[];
  readonly lagSeconds: number;
  readonly latencySeconds: number;
  readonly faultRate: number;
  readonly failureRate: number;
  /** After so many seconds a process ends, by a crash or on its own, and another begins. */
  readonly ends: readonly { readonly after: number; readonly crash: boolean }[];
  /** Seconds at which an upgrade begins; it closes the gate for a while. */
  readonly upgrades: readonly number[];
  /** Seconds at which somebody marks a VMI. */
  readonly marks: readonly { readonly at: number; readonly vmi: number }[];
}

const COUNT = 12;
const second = fc.integer({ min: 1, max: 400 });
const soon = fc.integer({ min: 1, max: 14 });
const courses: fc.Arbitrary<Course> = fc.record({
  seed: fc.nat(),
  cap: fc.constantFrom(3, 12),
  strategies: fc.array(fc.constantFrom('LiveMigrate', 'LiveMigrateIfPossible', 'None', 'None', 'External'), {
    minLength: COUNT,
    maxLength: COUNT,
  }),
  migratable: fc.array(fc.boolean(), { minLength: COUNT, maxLength: COUNT }),
  lagSeconds: fc.constantFrom(0, 3, 20, 70),
  latencySeconds: fc.constantFrom(0, 4),
  faultRate: fc.constantFrom(0, 0.1, 0.4),
  failureRate: fc.constantFrom(0, 0.5),
  ends: fc.array(fc.record({ after: fc.oneof(soon, second), crash: fc.boolean() }), { maxLength: 4 }),
  upgrades: fc.array(second, { maxLength: 2 }),
  marks: fc.array(fc.record({ at: fc.oneof(soon, second), vmi: fc.nat(COUNT - 1) }), { maxLength: 8 }),
});

/** Plays a course to its end and a quiet while beyond, and watches what must never happen. */
async function play(course: Course) {
  const random = seededRandom(course.seed);
  const vmis = Array.from({ length: COUNT }, (_, i) => vmiOf(course, i));
  const nodes = ['n1', 'n2'].map((name) => aRoomyNode(name).build());
  const world = new World(kubevirt(course), ...nodes, ...vmis, ...vmis.map(launcherOf));
  playKubeVirt(world, random, course.failureRate);
  const audit = new Audit(world, course.cap);
  let isQuiet = false;
  const faultOf = ({ verb }: Pick<Write, 'verb'>): Fault | undefined => {
    if (isQuiet || random.next() >= course.faultRate) return undefined;
    return { answer: { ok: false, message: `${verb} was cut` }, carriedOut: random.next() < 0.5 };
  };
  const begin = (): DroverProcess =>
    new DroverProcess(
      world,
      {
        evictionWebhook: evictionWebhook(world.api, 'intended'),
        lagSeconds: () => (isQuiet ? 0 : (1 + random.next()) * course.lagSeconds),
        latencySeconds: () => (isQuiet ? 0 : random.next() * course.latencySeconds),
        faultOf,
      },
      checkGate,
      () => faultOf({ verb: 'patch' }),
    );
  for (const at of course.upgrades) upgradeAt(world, at);
  for (const { at, vmi } of course.marks) markAt(world, at, `vm-${vmi}`);
  let process = begin();
  for (const { after, crash } of course.ends) {
    await world.clock.advance(after);
    if (crash) process.crash();
    else await Promise.all([process.stop(), world.clock.advance(60)]);
    // As long as a lease takes to run out, all that was sent has arrived.
    await world.clock.advance(15);
    process = begin();
  }
  await world.clock.advance(600);
  isQuiet = true;
  await world.clock.advance(3600);
  return { world, audit };
}

const vmiOf = ({ strategies, migratable }: Course, i: number) =>
  anOldVmi(`vm-${i}`, i % 2 ? 'n1' : 'n2')
    .strategy(strategies[i] ?? 'None')
    .migratable(migratable[i] ? 'True' : 'False')
    .build();

const kubevirt = ({ cap }: Course) =>
  aKubeVirt()
    .spec({
      configuration: {
        migrations: { parallelMigrationsPerCluster: cap, parallelOutboundMigrationsPerNode: cap },
      },
    })
    .methods('LiveMigrate', 'Evict')
    .batches(BATCH_SIZE, `${INTERVAL_SECONDS}s`)
    .build();

function upgradeAt(world: World, second: number): void {
  const setTarget = (id: string) =>
    world.patch('KubeVirt', 'kubevirt/kubevirt', '/status/targetDeploymentID', id);
  world.clock.after(second, () => setTarget('next'));
  world.clock.after(second + 30, () => setTarget('same'));
}

function markAt(world: World, second: number, name: string): void {
  world.clock.after(second, () => {
    const vmi = world.api.get(VMI, `shop/${name}`);
    if (vmi) world.patch(VMI, `shop/${name}`, '/status/evacuationNodeName', objectAt(vmi, 'status').nodeName);
  });
}

/** As the process sees it when it sends: evacuations know no gate, so only the updater's own calls count. */
function checkGate({ fleet }: MemoryCluster, verb: string): void {
  if (verb !== 'evict') return;
  const status = fleet.get('KubeVirt', 'kubevirt/kubevirt')?.status;
  expect(status?.observedDeploymentID).toBe(status?.targetDeploymentID);
}

/** What really happened, as an audit of the API server would show it. */
class Audit {
  readonly faults: string[] = [];
  readonly evictedAt: number[] = [];
  readonly #world: World;
  readonly #cap: number;
  readonly #unfinished = new Map<string, string>();
  readonly #evicted = new Set<string | undefined>();

  constructor(world: World, cap: number) {
    this.#world = world;
    this.#cap = cap;
    world.api.watch((change) => {
      if (change.kind === MIGRATION) this.#migration(change);
      if (change.kind === 'Pod') this.#pod(change);
    });
  }

  #migration({ key, before, after }: StoredChange): void {
    const vmi = String(objectAt(after ?? before ?? {}, 'spec').vmiName);
    if (!before) {
      if (this.#unfinished.has(vmi)) this.faults.push(`${key}: ${vmi} has ${this.#unfinished.get(vmi)}`);
      if (this.#evicted.has(this.#uidOf(vmi))) this.faults.push(`${key}: ${vmi} was evicted`);
    }
    const { phase } = objectAt(after ?? {}, 'status');
    if (!after || phase === 'Succeeded' || phase === 'Failed') this.#unfinished.delete(vmi);
    else this.#unfinished.set(vmi, key);
    const { size } = this.#unfinished;
    if (size > this.#cap) this.faults.push(`${size} migrations at ${this.#world.second()}`);
  }

  #pod({ key, before, after }: StoredChange): void {
    if (!after?.metadata.deletionTimestamp || before?.metadata.deletionTimestamp) return;
    const vmi = after.metadata.name.replace(/^virt-launcher-(.*)-1$/, '$1');
    if (this.#unfinished.has(vmi)) this.faults.push(`${key} was evicted during ${this.#unfinished.get(vmi)}`);
    this.#evicted.add(this.#uidOf(vmi));
    this.evictedAt.push(this.#world.second());
  }

  #uidOf(vmi: string): string | undefined {
    return this.#world.api.get(VMI, `shop/${vmi}`)?.metadata.uid;
  }
}

it('what must never happen does not, whatever lags, fails, crashes or closes', async () => {
  await fc.assert(
    fc.asyncProperty(courses, async (course) => {
      const { world, audit } = await play(course);
      expect(audit.faults).toEqual([]);
      for (const [i, at] of audit.evictedAt.entries()) {
        const next = audit.evictedAt[i + BATCH_SIZE];
        if (next !== undefined) expect(next - at).toBeGreaterThan(INTERVAL_SECONDS);
      }
      expect(world.log.entries.filter(({ level }) => level === 'error')).toEqual([]);
    }),
    { numRuns: 100 },
  );
}, 300_000);

it('what can be moved is moved in the end', async () => {
  await fc.assert(
    fc.asyncProperty(courses, async (course) => {
      const { world } = await play({ ...course, failureRate: 0 });
      const images = [...world.api.list(VMI)].map(({ metadata, status }) => [
        metadata.name,
        (status as { launcherContainerImageVersion?: string }).launcherContainerImageVersion,
      ]);
      // A VMI that must migrate and cannot refuses its eviction for ever; an External one waits for its controller.
      const isStuck = (name: string) => {
        const i = Number(name.slice(3));
        return !course.migratable[i] && ['LiveMigrate', 'External'].includes(course.strategies[i] ?? '');
      };
      const left = images.filter(([name = '', image]) => image !== NEW_IMAGE && !isStuck(name));
      expect(left).toEqual([]);
    }),
    { numRuns: 20 },
  );
}, 300_000);
