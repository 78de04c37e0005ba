import type { Log, Metrics } from '../../controllers/ports.ts';
import type { Behavior } from '../../decide/rules.ts';
import { nameIn } from '../../kubevirt/object-key.ts';
import type { Vmi } from '../../kubevirt/objects.ts';
import type { Actor } from '../../simulation/actors/actor.ts';
import { simulatedDrover } from '../../simulation/drover.ts';
import { kubevirtActors } from '../../simulation/kubevirt-actors.ts';
import type { RecordedEvent, Write } from '../../simulation/memory-cluster.ts';
import { SimulatedCluster } from '../../simulation/simulated-cluster.ts';
import { act } from './actions.ts';
import { beginningOf } from './beginning.ts';
import { RecordedChoices } from './choices.ts';
import { Course } from './course.ts';
import { isCompared } from './fields.ts';
import type { Race, Races } from './races.ts';
import { courseOf, type Recording } from './recording.ts';
import { WriteRaces } from './write-races.ts';

export interface ReplayOptions {
  readonly behavior: Behavior;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly races: Races;
}

/** 2026-03-01T12:00:00Z; any whole second does. */
const START = 1_772_366_400_000;
const SEED = 1;
/** How long virt-controller takes to start again. */
const RESTART_SECONDS = 0.1;
/** No answer took longer. */
const LAST_ANSWER_SECONDS = 30;
const VMI = 'VirtualMachineInstance';
const MIGRATION = 'VirtualMachineInstanceMigration';
/** What virt-api's webhooks have to do with went through one after another, each for so long. */
const WEBHOOK_SECONDS = 0.022;
const CREATION_SECONDS = 0.085;
/** A write was answered and seen after about so long. */
const LATENCY_SECONDS = 0.006;
const LAG_SECONDS = 0.004;
/** The stand-in for nodes rested 0.2 s between two looks, and took its time for a look. */
const POLL_SECONDS = 0.214;

/** What becomes of every object when a recording's timeline is played in the simulator. */
export async function replay(
  recording: Recording,
  { behavior, log, metrics, races }: ReplayOptions,
): Promise<Course> {
  const ours = new Course();
  const real = courseOf(recording);
  const creations = new Turnstile(CREATION_SECONDS, () => second());
  const webhooks = new Turnstile(WEBHOOK_SECONDS, () => second());
  const writes = new WriteRaces(races);
  const choices = new RecordedChoices(real, ours);
  let launcherImage = firstImageOf(recording);
  const simulated: SimulatedCluster = new SimulatedCluster({
    ...{ startAt: START, seed: SEED, behavior, objects: beginningOf(recording), log, metrics },
    latencySeconds: (write) => {
      writes.note(write, second());
      if (write.verb === 'evict' || isNew(write, MIGRATION)) return webhooks.secondsToTurn();
      return isNew(write, VMI) ? creations.secondsToTurn() : LATENCY_SECONDS;
    },
    lagSeconds: (change) => (writes.isSeenAtOnce(change, second()) ? 0 : LAG_SECONDS),
    onEvent: (event) => ours.event(second(), seenEvent(event)),
  });
  const { api, clock } = simulated;
  const second = (): number => (clock.now() - START) / 1000;
  for (const kind of ['KubeVirt'] as const) {
    for (const object of api.list(kind)) ours.change(0, kind, object.metadata.name, object);
  }
  api.watch(({ kind, key, after }) => {
    if (isCompared(kind)) ours.change(second(), kind, nameIn(key), after);
  });
  const { agents, kubernetes, virtController } = kubevirtActors(simulated, {
    ...{ behavior, launcherImage: () => launcherImage },
    nodes: { recordsEvents: false, times: { pollSeconds: POLL_SECONDS } },
    scheduling: { choose: (pod) => choices.nodeOf(pod) },
    migrations: { mayStart: (migration) => choices.isNext(migration) },
    isVmLast: (vmi) => races.isTurned(endOf(vmi, second())),
  });
  const drover = { behavior, launcherImage: () => launcherImage, order: choices.inOrder };
  const startController = (): Actor[] => {
    const actors = [...virtController(), simulatedDrover(simulated.contextFor('drover'), drover)];
    for (const actor of actors) actor.start();
    return actors;
  };
  simulated.start(...kubernetes, agents);
  let controller = startController();
  const restartController = (image: string): void => {
    for (const actor of controller) void actor.stop();
    clock.after(RESTART_SECONDS, () => {
      launcherImage = image;
      controller = startController();
    });
  };
  const stage = { recording, simulated, real, ours, restartController };
  for (const action of recording.timeline) clock.after(action.t, () => act(stage, action));
  await clock.advance(recording.end);
  const stopped = Promise.all([...controller.map((actor) => actor.stop()), simulated.stop()]);
  // What is under way needs time to be answered.
  await clock.advance(LAST_ANSWER_SECONDS);
  await stopped;
  return ours;
}

/** Lets one after another through. */
class Turnstile {
  readonly #seconds: number;
  readonly #now: () => number;
  #freeAt = 0;

  constructor(seconds: number, now: () => number) {
    this.#seconds = seconds;
    this.#now = now;
  }

  /** From now until this one is through. */
  secondsToTurn(): number {
    this.#freeAt = Math.max(this.#freeAt, this.#now()) + this.#seconds;
    return this.#freeAt - this.#now();
  }
}

function isNew({ verb, kind }: Write, of: Write['kind']): boolean {
  return verb === 'create' && kind === of;
}

/** Which of virt-controller's two finalizers goes last from a VMI that has ended is a race of two of its controllers. */
function endOf({ metadata: { name, uid } }: Vmi, at: number): Race {
  return { name: `end of ${name} ${uid}`, at, shownBy: `${VMI}/${name}` };
}

function seenEvent({ kind, name, reason, message }: RecordedEvent) {
  return { object: `${kind}/${name}`, reason, message };
}

function firstImageOf({ changes, name }: Recording): string {
  const images = changes.find(({ kind, state }) => kind === 'Pod' && Array.isArray(state?.image))?.state
    ?.image;
  if (!Array.isArray(images)) throw new Error(`${name}: no pod with an image`);
  return String(images[0]);
}
