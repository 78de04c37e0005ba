import { fileURLToPath } from 'node:url';
import { anyTime } from '../conformance/replay/align.ts';
import { compareCourses } from '../conformance/replay/compare-courses.ts';
import { Course, type ObjectCourse, type Step } from '../conformance/replay/course.ts';
import { COMPARED_KINDS, isCompared } from '../conformance/replay/fields.ts';
import { courseOf, type Recording, readRecording } from '../conformance/replay/recording.ts';
import type { Behavior } from '../decide/rules.ts';
import { type JsonObject, objectAt } from '../kubevirt/json.ts';
import { nameIn } from '../kubevirt/object-key.ts';
import { KUBEVIRT_ACCOUNT, userOf } from '../kubevirt/requester.ts';
import { watchEvents } from '../lab/event-tail.ts';
import type { Lab } from '../lab/lab.ts';
import type { StandIn } from '../lab/played/stand-in.ts';
import { waitFor } from '../lab/wait.ts';
import type { NodeTimes } from '../simulation/actors/node/options.ts';
import { logged, type Replica, startReplica } from './controller/test-controller.ts';
import {
  type KubeVirtLab,
  patchKubeVirt,
  patchKubeVirtStatus,
  runVms,
  startKubeVirtLab,
} from './test-kubevirt-lab.ts';

/** The launchers of the recordings. */
export const RECORDED_IMAGE = 'quay.io/kubevirt/virt-launcher:v1.9.0';
export const NEXT_IMAGE = 'quay.io/kubevirt/virt-launcher:v1.9.1';

const BEGUN_KINDS = [
  'VirtualMachine',
  'VirtualMachineInstance',
  'VirtualMachineInstanceMigration',
  'Pod',
] as const;

/** Where a lab has gone another way: the object and the field, and what it had in order. */
interface Parting {
  readonly where: string;
  readonly recorded: string;
  readonly ours: string;
}

export const COUNT = 'KubeVirt/kubevirt: outdated';
/** How the real one ends the event of an eviction: it prints the error that there was not. */
const NO_ERROR = ': <nil>';

/** Those that are not for this alone that `intended` leaves out the error that there was not. */
export function withoutNil(partings: readonly Parting[]): readonly Parting[] {
  const words = (text: string): string => text.replaceAll(NO_ERROR, '');
  return partings.filter(
    ({ where, recorded, ours }) => !where.endsWith(': events') || words(recorded) !== words(ours),
  );
}

/** A lab in which a recording of the real control plane is done again, with Drover's controllers as a process. */
export class RecordedLab {
  readonly cluster: KubeVirtLab;
  readonly #kubeconfig: string;
  #recording: Recording | undefined;
  #course: LabCourse | undefined;
  #replica: Replica | undefined;

  static async start(times: Partial<NodeTimes> = {}): Promise<RecordedLab> {
    const cluster = await startKubeVirtLab({
      nodes: ['n1', 'n2', 'n3', 'n4'].map((name) => ({ name })),
      ...{ image: RECORDED_IMAGE, behavior: 'exact', times },
    });
    const user = userOf(KUBEVIRT_ACCOUNT.controller, 'kubevirt');
    return new RecordedLab(cluster, await cluster.lab.kubeconfigFor({ user, groups: ['system:masters'] }));
  }

  private constructor(cluster: KubeVirtLab, kubeconfig: string) {
    this.cluster = cluster;
    this.#kubeconfig = kubeconfig;
  }

  /** The strategy and the VMs of a recording, with changes to the strategy; from now on what happens is taken down. */
  async begin(name: string, strategy: object = {}): Promise<void> {
    this.#recording = recordingOf(name);
    const { lab, standIn } = this.cluster;
    const spec = this.#recording.timeline.find(({ action, spec: set }) => action === 'kubevirt' && set)?.spec;
    const { workloadUpdateStrategy } = spec as JsonObject;
    await patchKubeVirt(lab, {
      spec: { workloadUpdateStrategy: { ...(workloadUpdateStrategy as JsonObject), ...strategy } },
    });
    const deployed = { observedDeploymentID: 'd1', targetDeploymentID: 'd1' };
    await patchKubeVirtStatus(lab, { ...deployed, outdatedVirtualMachineInstanceWorkloads: 0 });
    const count = () => standIn.cluster.fleet.kubevirt()?.status?.outdatedVirtualMachineInstanceWorkloads;
    await waitFor(() => count() === 0, { what: 'the count to be seen' });
    this.#course = followCourse(lab, standIn);
    this.cluster.setImage(RECORDED_IMAGE);
    await runVms(this.cluster, appliedIn(this.#recording));
  }

  /** virt-controller starts again, its part that is Drover's too, and makes launchers of this image. */
  async restartController(image: string, behavior: Behavior): Promise<void> {
    await this.#stopController();
    const { lab, setImage } = this.cluster;
    setImage(image);
    // The stand-in looks at all VMIs when the CR changes.
    await patchKubeVirt(lab, { metadata: { annotations: { 'lab/launcher-image': image } } });
    this.#replica = startReplica(this.#kubeconfig, '--launcher-image', image, '--behavior', behavior);
    await logged(this.#replica, 'leading');
  }

  /** Resolves when a field of an object has this value at last. */
  async until(object: string, field: string, wanted: string, seconds = 60): Promise<void> {
    await waitFor(() => this.valuesOf(object, field).at(-1) === wanted, {
      what: `${field} of ${object} to be ${wanted}`,
      seconds,
    });
  }

  /** The values that a field of an object has had. */
  valuesOf(object: string, field: string): readonly (string | undefined)[] {
    return (this.#followed().soFar.objects.get(object)?.fields.get(field) ?? []).map(({ value }) => value);
  }

  /** Where it has gone another way than the recording; all the objects that either has. */
  partings(): readonly Parting[] {
    if (!this.#recording) throw new Error('nothing has begun');
    const differing = differencesOf(courseOf(this.#recording), this.#followed().withEvents());
    return differing.map(({ object, field, real, ours }) => ({
      where: `${object}: ${field}`,
      recorded: real,
      ours,
    }));
  }

  /** Nothing of what was begun is left. */
  async clear(): Promise<void> {
    await this.#stopController();
    this.#course?.stop();
    const { lab, standIn, setImage } = this.cluster;
    setImage(RECORDED_IMAGE);
    await lab.kubectl(['delete', 'vm,vmim', '--all', '--wait=false']);
    const { fleet } = standIn.cluster;
    const isGone = () => BEGUN_KINDS.every((kind) => [...fleet.all(kind)].length === 0);
    await waitFor(isGone, { what: 'the VMs to go', seconds: 60 });
  }

  async stop(): Promise<void> {
    await this.#stopController();
    await this.cluster.stop();
  }

  #followed(): LabCourse {
    if (!this.#course) throw new Error('nothing has begun');
    return this.#course;
  }

  async #stopController(): Promise<void> {
    this.#replica?.child.kill('SIGKILL');
    await this.#replica?.ended;
    this.#replica = undefined;
    await this.cluster.lab.kubectl(['delete', 'leases', '--all', '-n', 'drover-system']);
  }
}

/** A recording of those that the project has. */
function recordingOf(name: string): Recording {
  return readRecording(fileURLToPath(new URL(`../../testdata/histories/${name}`, import.meta.url)), name);
}

/** The objects that were applied in a recording, without the namespace. */
function appliedIn({ timeline }: Recording): JsonObject[] {
  const applied = timeline.filter(({ action }) => action === 'apply');
  return applied.flatMap(({ objects }) =>
    (objects as readonly JsonObject[]).map((object) => {
      const { namespace: _, ...metadata } = objectAt(object, 'metadata');
      return { ...object, metadata };
    }),
  );
}

interface LabCourse {
  /** Without events. */
  readonly soFar: Course;
  /** An event may be heard of before the object that it names: names are known when all is over. */
  withEvents(): Course;
  stop(): void;
}

/** Takes down from now on what happens on a lab; what there is already comes first. */
function followCourse({ admin }: Lab, { cluster }: StandIn): LabCourse {
  const startedAt = performance.now();
  const course = new Course();
  const events: JsonObject[] = [];
  for (const kind of COMPARED_KINDS)
    for (const object of cluster.fleet.all(kind)) course.change(0, kind, object.metadata.name, { ...object });
  const leave = cluster.subscribe(({ kind, key, after }) => {
    if (!isCompared(kind)) return;
    const second = (performance.now() - startedAt) / 1000;
    course.change(second, kind, nameIn(key), after && { ...after });
  });
  const stopEvents = watchEvents(admin, (event) => events.push(event));
  return {
    soFar: course,
    withEvents() {
      for (const event of events.splice(0)) tell(course, event);
      return course;
    },
    stop() {
      leave();
      stopEvents();
    },
  };
}

/** Who tells in the recordings, but for the scheduler. */
const TELLERS = ['workload-update-controller', 'virtualmachine-controller', 'disruptionbudget-controller'];

function tell(course: Course, event: JsonObject): void {
  const teller = String(event.reportingComponent || objectAt(event, 'source').component);
  if (!TELLERS.includes(teller)) return;
  const { kind, name } = objectAt(event, 'involvedObject');
  course.event(0, {
    object: `${kind}/${name}`,
    reason: String(event.reason),
    message: String(event.message),
  });
}

/** Values count in their order; times do not, nor which nodes they are, nor the order of an object's events. */
function differencesOf(recorded: Course, ours: Course) {
  const never = Number.POSITIVE_INFINITY;
  return compareCourses(comparable(recorded), comparable(ours), never, anyTime).differing;
}

function comparable({ objects }: Course): Course {
  const course = new Course();
  for (const [name, object] of objects) course.objects.set(name, comparableObject(object));
  return course;
}

/** The fleet does not keep it. */
const UNSEEN = 'activePods';

function comparableObject({ fields, events }: ObjectCourse): ObjectCourse {
  const kept = [...fields].filter(([field]) => field !== UNSEEN);
  const texts = new Set(events.map(({ text }) => text).filter((text) => !text.startsWith('Scheduled:')));
  return {
    fields: new Map(kept.map(([field, steps]) => [field, isOfNode(field) ? steps.map(onSomeNode) : steps])),
    events: [...texts].sort().map((text) => ({ at: 0, text })),
  };
}

function isOfNode(field: string): boolean {
  return /node|target/i.test(field);
}

function onSomeNode({ at, value }: Step): Step {
  return { at, value: value && 'some node' };
}
