import { setTimeout as sleep } from 'node:timers/promises';
import type { LabRunRequest } from '../../cli/services.ts';
import type { EvictionCall } from '../../controllers/ports.ts';
import type { ApiResult } from '../../decide/api-result.ts';
import { Fleet, type Kind } from '../../fleet/fleet.ts';
import { wallClock } from '../../kubernetes/wall-clock.ts';
import { type JsonObject, objectAt } from '../../kubevirt/json.ts';
import { requireLabAssets } from '../../lab/control-plane/assets.ts';
import { clearRemains } from '../../lab/control-plane/remains.ts';
import { LabError } from '../../lab/errors.ts';
import { watchEvents } from '../../lab/event-tail.ts';
import { LAB_FLAGS, type Lab, startLab } from '../../lab/lab.ts';
import { clusterApiCrds, kubevirtCrds } from '../../lab/objects/crds.ts';
import { KUBEVIRT_NAMESPACE } from '../../lab/objects/first-objects.ts';
import { loadCrds } from '../../lab/objects/load-crds.ts';
import { restore } from '../../lab/objects/restore.ts';
import type { Beginning } from '../../rehearsal/beginning/prepare.ts';
import { behaviorBySnapshot, endsCountedFrom } from '../../rehearsal/beginning/snapshot-behavior.ts';
import { externalActors } from '../../rehearsal/external-actors.ts';
import { howFar } from '../../rehearsal/how-far.ts';
import { Observer } from '../../rehearsal/observer.ts';
import { Peaks } from '../../rehearsal/peaks.ts';
import { Quiet } from '../../rehearsal/quiet.ts';
import { endingsOf } from '../../rehearsal/rehearsal.ts';
import { reportOf, type SimulationReport } from '../../rehearsal/report.ts';
import type { EventResult, RunResult } from '../../rehearsal/result.ts';
import { resultOf } from '../../rehearsal/run.ts';
import { behaviorIn, lastDeedSeconds, limitSeconds, nodeOptions } from '../../rehearsal/settings.ts';
import { schedule } from '../../rehearsal/timeline.ts';
import { vmResults } from '../../rehearsal/vm-results.ts';
import type { Scenario } from '../../scenario/schema.ts';
import { RECORDED_TIMES } from '../../simulation/actors/node/options.ts';
import type { BehaviorOf } from '../../simulation/guests/behavior.ts';
import { readPlay } from '../simulate.ts';
import { untilAsked } from '../until-asked.ts';
import { causeIn } from './cause.ts';
import { type LabKubeVirt, startLabKubeVirt } from './kubevirt.ts';
import { labStage } from './stage.ts';

/** `drover lab run`: the scenario of `drover simulate` on a real API server, as long as it takes. Ends early where it is asked to. */
export async function labRun(request: LabRunRequest): Promise<SimulationReport> {
  const asked = untilAsked();
  const { scenario, beginning, warnings } = await readPlay(request);
  const assets = requireLabAssets();
  await clearRemains(request.write);
  const lab = await startLab({ assets, controllerManager: true, scheduler: true, apiServerFlags: LAB_FLAGS });
  try {
    await loadCrds(lab.admin, [...kubevirtCrds(), ...clusterApiCrds()]);
    const { fleet, refused } = await put(lab, beginning);
    request.write(`the lab runs: KUBECONFIG=${lab.kubeconfig}\n`);
    const broken = new AbortController();
    void lab.broken.then((what) => broken.abort(new LabError('LabBroken', what)));
    const signal = AbortSignal.any([asked.signal, broken.signal]);
    const played = await play(lab, { scenario, beginning, fleet, request, signal });
    broken.signal.throwIfAborted();
    return reportOf(scenario, [played], [...warnings, ...refused.map((line) => `left out: ${line}`)]);
  } catch (error) {
    throw await causeIn(lab, error);
  } finally {
    await lab.stop();
  }
}

async function put(lab: Lab, { objects }: Beginning) {
  const fleet = new Fleet();
  for (const object of objects) fleet.apply((object as { kind: Kind }).kind, object as never);
  const { refused } = await restore(lab.admin, fleet);
  return { fleet, refused };
}

interface Course {
  readonly scenario: Scenario;
  readonly beginning: Beginning;
  /** The cluster as it is to begin. */
  readonly fleet: Fleet;
  readonly request: LabRunRequest;
  readonly signal: AbortSignal;
}

async function play(lab: Lab, course: Course): Promise<RunResult> {
  const { scenario, beginning, fleet } = course;
  const { behaviorOf, times, network } = nodeOptions(scenario);
  const guests = endsCountedFrom(
    wallClock.now(),
    behaviorBySnapshot(fleet.all('VirtualMachineInstance'), behaviorOf),
  );
  let observer: Observer | undefined;
  const onEviction = (call: EvictionCall, result: ApiResult): void => observer?.evicted(call, result);
  const kubevirt = await startLabKubeVirt(lab, {
    namespace: fleet.kubevirt()?.metadata.namespace ?? KUBEVIRT_NAMESPACE,
    ...{ launcherImage: beginning.launcherImage, behavior: behaviorIn(scenario), speed: 1 },
    nodes: {
      network,
      times: { ...RECORDED_TIMES, ...times },
      behaviorOf: guests,
    },
    ...{ onEviction, waits: true },
  });
  try {
    observer = new Observer(kubevirt.standIn.cluster, wallClock);
    kubevirt.controller.start();
    return await observed(lab, kubevirt, observer, { ...course, guests });
  } finally {
    await kubevirt.stop();
  }
}

async function observed(
  lab: Lab,
  kubevirt: LabKubeVirt,
  observer: Observer,
  { scenario, request, signal, guests }: Course & { readonly guests: BehaviorOf },
): Promise<RunResult> {
  const { cluster, context } = kubevirt.standIn;
  const startAt = wallClock.now();
  const peaks = new Peaks(cluster, wallClock);
  const events: EventResult[] = [];
  const stopWatching = watchEvents(lab.admin, (event) => events.push(eventResult(event, startAt)));
  const others = externalActors({ contextFor: () => context }, scenario);
  for (const actor of others) actor.start();
  const deeds = schedule(labStage(scenario, kubevirt, observer), scenario.timeline);
  const look = () => howFar(observer, (wallClock.now() - startAt) / 1000);
  const quiet = new Quiet({
    ...{ observer, fleet: cluster.fleet, controller: kubevirt.controller },
    ...{ behavior: behaviorIn(scenario), behaviorOf: guests },
  });
  const isOver = await untilQuiet(quiet, scenario, {
    ...{ quietSeconds: request.quietSeconds, onLook: () => request.onCourse?.(look), signal },
  });
  stopWatching();
  await Promise.all(others.map((actor) => actor.stop()));
  const vms = vmResults(endingsOf(observer, cluster.fleet), startAt, wallClock.now());
  const seconds = Math.max(0, (observer.lastAt - startAt) / 1000);
  const course = { seed: scenario.settings.seed ?? 1, seconds, isCutShort: !isOver };
  return resultOf(scenario, peaks, { ...course, vms, deeds, events });
}

const LOOK_MS = 500;

interface Watch {
  readonly quietSeconds: number;
  readonly onLook: () => void;
  readonly signal: AbortSignal;
}

/** Until the last deed is long past and all is quiet for as long, which is true then; or the scenario's time is over, or somebody asks for the end. */
async function untilQuiet(
  quiet: Quiet,
  scenario: Scenario,
  { quietSeconds, onLook, signal }: Watch,
): Promise<boolean> {
  const begun = wallClock.now();
  const earliest = begun + (lastDeedSeconds(scenario.timeline) + quietSeconds) * 1000;
  const end = begun + limitSeconds(scenario) * 1000;
  const isOver = () => wallClock.now() > earliest && quiet.isQuiet(quietSeconds, wallClock.now());
  while (!isOver() && wallClock.now() < end && !signal.aborted) {
    onLook();
    await sleep(LOOK_MS);
  }
  return isOver();
}

function eventResult(event: JsonObject, startAt: number): EventResult {
  const { kind, namespace, name } = objectAt(event, 'involvedObject');
  const { type, reason, message, reportingComponent } = event;
  return {
    seconds: (wallClock.now() - startAt) / 1000,
    object: [kind, namespace, name].filter(Boolean).join('/'),
    ...{ type: String(type), reason: String(reason), message: String(message) },
    component: String(objectAt(event, 'source').component ?? reportingComponent ?? ''),
  };
}
