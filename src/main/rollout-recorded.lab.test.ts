import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Behavior } from '../decide/rules.ts';
import { describeLab } from '../lab/describe-lab.ts';
import { waitFor } from '../lab/wait.ts';
import { deedsIn } from './test-invariants.ts';
import { patchKubeVirtStatus, untilAllCurrent } from './test-kubevirt-lab.ts';
import { COUNT, NEXT_IMAGE, RecordedLab, withoutNil } from './test-recorded.ts';

/** A third of the recorded one, for the time that it takes. */
const INTERVAL_SECONDS = 5;
const MOVING = ['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'x1'];
const RESTARTING = ['e0', 'e1', 'e2', 'e3', 'e4', 'i1'];
/** Its eviction is refused for as long as nothing changes. */
const REFUSED = 'default/x0';
const OUTDATED = MOVING.length + RESTARTING.length + 1;
const GATE_MS = 2_000;
const AFTER_ALL_MS = 1_500;

/** Within half an interval it is the same batch. */
function batchesOf(evictions: readonly number[]): number {
  const times = [...evictions].sort((a, b) => a - b);
  return times.filter((at, i) => at - (times[i - 1] ?? 0) > 500 * INTERVAL_SECONDS).length;
}

describeLab('the recorded roll-out on a real control plane', () => {
  let lab: RecordedLab;

  beforeAll(async () => {
    lab = await RecordedLab.start();
  }, 150_000);
  afterEach(() => lab?.clear());
  afterAll(() => lab?.stop());

  /** Gives the times of the evictions. */
  async function rollOut(behavior: Behavior): Promise<readonly number[]> {
    const { cluster } = lab;
    await lab.begin('rollout', { batchEvictionInterval: `${INTERVAL_SECONDS}s` });
    const before = deedsIn(cluster.lab);
    await patchKubeVirtStatus(cluster.lab, { targetDeploymentID: 'd2' });
    await lab.restartController(NEXT_IMAGE, behavior);
    await sleep(GATE_MS);
    expect(deedsIn(cluster.lab).migrations).toEqual(before.migrations);
    await patchKubeVirtStatus(cluster.lab, { observedDeploymentID: 'd2' });
    await untilAllCurrent(cluster.standIn, [...MOVING, ...RESTARTING], { image: NEXT_IMAGE, seconds: 100 });
    const refusals = () => deedsIn(cluster.lab).refusals.slice(before.refusals.length);
    // In the order of its name the last, so perhaps not asked for before.
    await waitFor(() => refusals().length > 0, { what: 'the refusal' });
    expect(new Set(refusals().map(({ vmi }) => vmi))).toEqual(new Set([REFUSED]));
    await lab.until('KubeVirt/kubevirt', 'outdated', '1');
    await sleep(AFTER_ALL_MS);
    return deedsIn(cluster.lab)
      .evictions.slice(before.evictions.length)
      .map(({ at }) => at);
  }

  /** Batches and moves come in an order by chance, and the count is written now after one and now after the other. */
  function expectFallingCount(): void {
    const counts = lab.valuesOf('KubeVirt/kubevirt', 'outdated').map(Number);
    expect(counts.slice(0, 2)).toEqual([0, OUTDATED]);
    expect(counts.slice(1)).toEqual([...counts.slice(1)].sort((a, b) => b - a));
    expect(counts.at(-1)).toBe(1);
  }

  it('in exact behaviour: the same migrations, evictions, labels and events', async () => {
    await rollOut('exact');
    expect(lab.partings().filter(({ where }) => where !== COUNT)).toEqual([]);
    expectFallingCount();
  }, 150_000);

  it('in intended behaviour: the same in fewer batches, and one event in other words', async () => {
    const evictions = await rollOut('intended');
    // Who is refused takes no place: six in batches of two are three batches; there it took more.
    expect(evictions).toHaveLength(RESTARTING.length);
    expect(batchesOf(evictions)).toBe(RESTARTING.length / 2);
    const partings = lab.partings().filter(({ where }) => where !== COUNT);
    expect(partings.map(({ where }) => where).sort()).toEqual(
      RESTARTING.map((vmi) => `VirtualMachineInstance/${vmi}: events`),
    );
    expect(withoutNil(partings)).toEqual([]);
    expectFallingCount();
  }, 150_000);
});
