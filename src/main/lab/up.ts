import type { LabUpRequest } from '../../cli/services.ts';
import { strangeRelease } from '../../decide/versions.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { wallClock } from '../../kubernetes/wall-clock.ts';
import type { JsonObject } from '../../kubevirt/json.ts';
import { requireLabAssets } from '../../lab/control-plane/assets.ts';
import { clearRemains } from '../../lab/control-plane/remains.ts';
import { LabError } from '../../lab/errors.ts';
import { followEvents } from '../../lab/event-tail.ts';
import { LAB_FLAGS, type Lab, startLab } from '../../lab/lab.ts';
import { mustCreate } from '../../lab/must-create.ts';
import { clusterApiCrds, kubevirtCrds } from '../../lab/objects/crds.ts';
import {
  KUBEVIRT_NAMESPACE,
  kubevirtOf,
  launcherImageOf,
  nodesOf,
  virtControllerOf,
  vmsOf,
} from '../../lab/objects/first-objects.ts';
import { loadCrds } from '../../lab/objects/load-crds.ts';
import { restore } from '../../lab/objects/restore.ts';
import { hastenedGuests, hastenedNodes } from '../../lab/played/haste.ts';
import { labSummary } from '../../lab/summary.ts';
import { undoAll } from '../../lab/undo.ts';
import { checkSnapshot } from '../../rehearsal/beginning/check-snapshot.ts';
import { completedFleet, imageOfSnapshot } from '../../rehearsal/beginning/prepare.ts';
import { behaviorBySnapshot, endsCountedFrom } from '../../rehearsal/beginning/snapshot-behavior.ts';
import type { NodeAgentOptions } from '../../simulation/actors/node/options.ts';
import type { BehaviorOf } from '../../simulation/guests/behavior.ts';
import { requireWritable } from '../output-file.ts';
import { readInput } from '../read-input.ts';
import { untilAsked } from '../until-asked.ts';
import { causeIn } from './cause.ts';
import { guestsOf } from './guests.ts';
import { startLabKubeVirt } from './kubevirt.ts';
import { removeLabFile, requireFree, writeLabFile } from './lab-file.ts';

const SHOW_MS = 1_000;
const EVENTS_SHOWN = 8;
const AT_ONCE = 8;

/** `drover lab up`: runs until the process is asked to end, and takes everything away. */
export async function labUp(request: LabUpRequest): Promise<void> {
  const asked = untilAsked();
  const { kubeconfigOut: file } = request;
  const behaviorOf = guestsOf(request.behaviourFile);
  const assets = requireLabAssets();
  await requireWritable(file);
  await requireFree(file);
  await clearRemains(request.write);
  const snapshot = request.snapshot === undefined ? undefined : await readInput([request.snapshot]);
  if (snapshot) checkSnapshot(snapshot.fleet);
  const undo: (() => unknown)[] = [];
  try {
    request.write('starting etcd and kube-apiserver …\n');
    const lab = await startLab({
      assets,
      controllerManager: true,
      scheduler: true,
      apiServerFlags: LAB_FLAGS,
    });
    undo.push(() => lab.stop());
    await runs(lab, { request, behaviorOf, snapshot, asked, undo }).catch(async (error: unknown) => {
      throw await causeIn(lab, error);
    });
  } catch (error) {
    if (!asked.signal.aborted) throw error;
  } finally {
    if (undo.length > 0) request.write('ending …\n');
    await undoAll(undo);
  }
}

interface Run {
  readonly request: LabUpRequest;
  readonly behaviorOf: BehaviorOf;
  readonly snapshot: Awaited<ReturnType<typeof readInput>> | undefined;
  readonly asked: ReturnType<typeof untilAsked>;
  /** Takes what is to be done at the end. */
  readonly undo: (() => unknown)[];
}

/** Until the process is asked to end; rejects when a part of the control plane has ended before. */
async function runs(lab: Lab, { request, behaviorOf, snapshot, asked, undo }: Run): Promise<void> {
  const { kubeconfigOut: file } = request;
  asked.signal.throwIfAborted();
  await loadCrds(lab.admin, [...kubevirtCrds(), ...clusterApiCrds()]);
  const installed = await install(lab, request, snapshot);
  asked.signal.throwIfAborted();
  const kubevirt = await startLabKubeVirt(lab, {
    ...{ ...installed, behavior: request.behavior, speed: request.speed },
    nodes: nodeOptions(request, snapshot?.fleet, behaviorOf),
  });
  undo.push(() => kubevirt.stop());
  asked.signal.throwIfAborted();
  await writeLabFile(file, lab.kubeconfig);
  undo.push(() => removeLabFile(file));
  if (!snapshot) await createVms(lab, vmsOf(request.vms));
  request.write(`the lab runs: export KUBECONFIG=${file}\n`);
  undo.push(show(lab, request, kubevirt.standIn.cluster.fleet));
  await Promise.race([
    asked.promise,
    lab.broken.then((why) => Promise.reject(new LabError('LabBroken', why))),
  ]);
}

interface Installed {
  readonly namespace: string;
  readonly launcherImage: string;
}

/** KubeVirt's own objects, and all that the snapshot has. */
async function install(
  lab: Lab,
  request: LabUpRequest,
  snapshot: Awaited<ReturnType<typeof readInput>> | undefined,
): Promise<Installed> {
  const { version } = request;
  const told = snapshot?.fleet.kubevirt();
  const strange = strangeRelease(told?.status?.observedKubeVirtVersion ?? version);
  if (strange) request.write(`note: ${strange}\n`);
  const namespace = told?.metadata.namespace ?? KUBEVIRT_NAMESPACE;
  const held = snapshot && (snapshot.launcherImage ?? imageOfSnapshot(snapshot.fleet));
  const launcherImage = held ?? launcherImageOf(version);
  await mustCreate(lab.admin, '/api/v1/namespaces', { metadata: { name: namespace } });
  if (!told) await createKubeVirt(lab, kubevirtOf(version));
  await mustCreate(
    lab.admin,
    `/apis/apps/v1/namespaces/${namespace}/deployments`,
    virtControllerOf(launcherImage, namespace),
  );
  if (snapshot) {
    const { objects, refused } = await restore(lab.admin, completedFleet(snapshot.fleet));
    request.write(`${objects} objects of the snapshot\n`);
    for (const line of refused) request.write(`left out: ${line}\n`);
  }
  return { namespace, launcherImage };
}

async function createKubeVirt(lab: Lab, { status, ...object }: JsonObject): Promise<void> {
  const path = `/apis/kubevirt.io/v1/namespaces/${KUBEVIRT_NAMESPACE}/kubevirts`;
  const made = await mustCreate(lab.admin, path, object);
  const body = { ...made, status };
  const written = await lab.admin.call({ method: 'PUT', path: `${path}/kubevirt/status`, body });
  if (!written.ok) throw new LabError('LabRefused', written.message);
}

async function createVms(lab: Lab, vms: readonly JsonObject[]): Promise<void> {
  const left = [...vms];
  const work = async (): Promise<void> => {
    for (let vm = left.shift(); vm; vm = left.shift())
      await mustCreate(lab.admin, '/apis/kubevirt.io/v1/namespaces/default/virtualmachines', vm);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function nodeOptions(
  { nodes, speed }: LabUpRequest,
  snapshot: Fleet | undefined,
  behaviorOf: BehaviorOf,
): NodeAgentOptions {
  const told = snapshot ? behaviorBySnapshot(snapshot.all('VirtualMachineInstance'), behaviorOf) : behaviorOf;
  return {
    nodes: snapshot ? [] : nodesOf(nodes),
    times: hastenedNodes(speed),
    behaviorOf: endsCountedFrom(wallClock.now(), hastenedGuests(told, speed)),
  };
}

const CLEAR = '\u001b[H\u001b[2J\u001b[3J';

/** Shows the lab as it changes; the returned function ends it. */
function show(lab: Lab, { isTerminal, write, kubeconfigOut }: LabUpRequest, fleet: Fleet): () => void {
  const events = followEvents(lab.admin, EVENTS_SHOWN);
  let shown = '';
  const look = (): void => {
    const lines = labSummary(fleet);
    const text = isTerminal
      ? [...lines, '', ...events.lines()].join('\n')
      : lines.slice(0, 4).join('; ').replace(/ +/g, ' ');
    if (text === shown) return;
    shown = text;
    write(
      isTerminal
        ? `${CLEAR}lab: export KUBECONFIG=${kubeconfigOut}   (Ctrl-C ends it)\n\n${text}\n`
        : `${text}\n`,
    );
  };
  const timer = setInterval(look, isTerminal ? SHOW_MS : SHOW_MS * 5);
  return () => {
    clearInterval(timer);
    events.stop();
  };
}
