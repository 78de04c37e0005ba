import { setTimeout as sleep } from 'node:timers/promises';
import type { EvictionCall } from '../../controllers/ports.ts';
import type { ApiResult } from '../../decide/api-result.ts';
import type { Fleet, Kind } from '../../fleet/fleet.ts';
import type { Forecast } from '../../forecast/forecast.ts';
import { liveFleet } from '../../kubernetes/live-fleet.ts';
import { collectionPath, resourcesOf } from '../../kubernetes/resources.ts';
import { wallClock } from '../../kubernetes/wall-clock.ts';
import { isJsonObject, type JsonObject, objectsAt } from '../../kubevirt/json.ts';
import { ANNOTATION } from '../../kubevirt/names.ts';
import type { Lab } from '../../lab/lab.ts';
import { restore } from '../../lab/objects/restore.ts';
import { sweep } from '../../lab/objects/sweep.ts';
import { annotatingMigrations } from '../../lab/played/annotate-migrations.ts';
import { hastenedClock, hastenedGuests, hastenedNodes } from '../../lab/played/haste.ts';
import { waitFor } from '../../lab/wait.ts';
import { type Finding, findingOf } from '../../rehearsal/accuracy/examine.ts';
import type { Guests } from '../../rehearsal/accuracy/guests.ts';
import { hastenedTrial } from '../../rehearsal/accuracy/hasten.ts';
import { type Endings, fleetOf, foretellFrom, play, scenarioOf } from '../../rehearsal/accuracy/play.ts';
import type { Trial } from '../../rehearsal/accuracy/trial.ts';
import { beginningOfScenario } from '../../rehearsal/beginning/prepare.ts';
import { behaviorBySnapshot } from '../../rehearsal/beginning/snapshot-behavior.ts';
import { externalActors } from '../../rehearsal/external-actors.ts';
import { Observer } from '../../rehearsal/observer.ts';
import { endingsOf } from '../../rehearsal/rehearsal.ts';
import { nodeOptions } from '../../rehearsal/settings.ts';
import { schedule } from '../../rehearsal/timeline.ts';
import type { Scenario } from '../../scenario/schema.ts';
import type { Actor, ActorContext } from '../../simulation/actors/actor.ts';
import { type LabKubeVirt, startLabKubeVirt } from './kubevirt.ts';
import { labStage } from './stage.ts';

/** How many times as fast nodes, guests and CAPK are. */
const SPEED = 10;
/** A target that no node takes is given up after so long; KubeVirt's default is five minutes. */
const UNSCHEDULABLE = { [ANNOTATION.unschedulableTimeout]: '15' };
/** What agrees has to agree for so long, without a break. */
const HOLD_SECONDS = 10;
/** And so long after the action at least: kubectl asks a second time after five seconds. */
const LEAST_SECONDS = 12;
/** What does not agree by then differs. */
const LIMIT_SECONDS = 240;
const LOOK_MS = 500;

/**
 * Foretells what an action does to a cluster as `drover plan` reads it from the API server, does it there, and compares. The lab is
 * left as it was, so that it can have another cluster.
 */
export async function examineOnLab(lab: Lab, drawn: Trial, guests: Guests): Promise<Finding> {
  const trial = hastenedTrial(drawn, SPEED);
  const scenario = scenarioOf(trial, guests);
  const { objects, launcherImage } = beginningOfScenario(scenario);
  try {
    const fleet = fleetOf(objects);
    const { refused } = await restore(lab.admin, fleet);
    if (refused.length > 0) throw new Error(`seed ${trial.seed}: ${refused.join('; ')}`);
    const forecast = foretellFrom(trial, await settled(lab, fleet), wallClock.now());
    const without = await play(trial, guests, { acts: false });
    return await onStage(lab, { trial, guests, scenario, forecast, without, fleet, launcherImage });
  } finally {
    await sweep(lab.admin);
  }
}

/** The cluster as it is read when the real controllers have counted budgets and quotas. */
async function settled(lab: Lab, wanted: Fleet): Promise<Fleet> {
  const isCounted = async (): Promise<Fleet | undefined> => {
    const budgets = await listed(lab, 'PodDisruptionBudget');
    const quotas = await listed(lab, 'ResourceQuota');
    const isWhole =
      budgets.length === [...wanted.all('PodDisruptionBudget')].length &&
      budgets.every(({ status }) => isJsonObject(status) && status.conditions !== undefined) &&
      quotas.every(({ status }) => isJsonObject(status) && status.used !== undefined);
    return isWhole ? (await liveFleet({ kubeconfig: lab.kubeconfig })).fleet : undefined;
  };
  return waitFor(isCounted, { what: 'budgets and quotas to be counted', seconds: 60, everyMs: 200 });
}

async function listed(lab: Lab, kind: Kind): Promise<readonly JsonObject[]> {
  const answer = await lab.admin.call({ method: 'GET', path: collectionPath(resourcesOf(kind)[0]) });
  return answer.ok ? objectsAt(answer.object, 'items') : [];
}

interface Play {
  readonly trial: Trial;
  readonly guests: Guests;
  readonly scenario: Scenario;
  readonly forecast: Forecast;
  /** What becomes of the VMs where nothing is done. */
  readonly without: Endings;
  readonly fleet: Fleet;
  readonly launcherImage: string;
}

async function onStage(lab: Lab, play: Play): Promise<Finding> {
  const { scenario, fleet, launcherImage } = play;
  let observer: Observer | undefined;
  const onEviction = (call: EvictionCall, result: ApiResult): void => observer?.evicted(call, result);
  const { behaviorOf } = nodeOptions(scenario);
  const kubevirt = await startLabKubeVirt(lab, {
    ...{ namespace: 'kubevirt', launcherImage, behavior: play.trial.behavior, speed: SPEED },
    nodes: {
      times: hastenedNodes(SPEED),
      behaviorOf: behaviorBySnapshot(fleet.all('VirtualMachineInstance'), hastenedGuests(behaviorOf, SPEED)),
    },
    ...{ onEviction, migrationAnnotations: UNSCHEDULABLE, virtctl: false, waits: true },
  });
  const others = externalActors({ contextFor: (name) => hastened(name, kubevirt) }, scenario);
  try {
    observer = new Observer(kubevirt.standIn.cluster, wallClock);
    for (const actor of others) actor.start();
    kubevirt.controller.start();
    schedule(labStage(scenario, kubevirt, observer), scenario.timeline);
    return await untilTold(kubevirt, observer, play);
  } finally {
    await stopAll([...others, kubevirt]);
  }
}

async function stopAll(started: readonly Pick<Actor, 'stop'>[]): Promise<void> {
  for (const each of started) await each.stop();
}

/** CAPK, and the machines that it gives up, compare times with their own alone. */
function hastened(name: string, { standIn }: LabKubeVirt): ActorContext {
  const { context } = standIn;
  if (name !== 'capk') return context;
  const cluster = annotatingMigrations(context.cluster, UNSCHEDULABLE);
  return { ...context, cluster, clock: hastenedClock(wallClock, SPEED) };
}

/** Until all agrees and has done so for a while, or the time is over. */
async function untilTold(
  { standIn }: LabKubeVirt,
  observer: Observer,
  { trial, guests, forecast, without }: Play,
): Promise<Finding> {
  const begun = wallClock.now();
  const seconds = (): number => (wallClock.now() - begun) / 1000;
  let agreesSince: number | undefined;
  for (;;) {
    await sleep(LOOK_MS);
    const acts = endingsOf(observer, standIn.cluster.fleet);
    const finding = findingOf(trial, forecast, { [guests]: { acts, without } });
    const agrees = finding.vms.every(({ differs }) => differs.length === 0);
    agreesSince = agrees ? (agreesSince ?? seconds()) : undefined;
    const isTold =
      agreesSince !== undefined && seconds() >= Math.max(LEAST_SECONDS, agreesSince + HOLD_SECONDS);
    if (isTold || seconds() > LIMIT_SECONDS) return finding;
  }
}
