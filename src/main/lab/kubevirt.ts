import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationsOf } from '../../admission/registration.ts';
import type { EvictionCall } from '../../controllers/ports.ts';
import { silent } from '../../controllers/silent.ts';
import type { ApiResult } from '../../decide/api-result.ts';
import type { Behavior } from '../../decide/rules.ts';
import { connect } from '../../kubernetes/connect.ts';
import { LiveCluster } from '../../kubernetes/live-cluster.ts';
import { tellingEvictions } from '../../kubernetes/telling-evictions.ts';
import { systemRandom, wallClock } from '../../kubernetes/wall-clock.ts';
import { objectAt } from '../../kubevirt/json.ts';
import { KUBEVIRT_ACCOUNT, userOf } from '../../kubevirt/requester.ts';
import type { Lab } from '../../lab/lab.ts';
import { mustCreate } from '../../lab/must-create.ts';
import { annotatingMigrations } from '../../lab/played/annotate-migrations.ts';
import { hastenedRollOut } from '../../lab/played/haste.ts';
import { releaseFollower } from '../../lab/played/release-follower.ts';
import { type StandIn, startStandIn } from '../../lab/played/stand-in.ts';
import { startVirtSubresources } from '../../lab/played/virt-subresources.ts';
import { undoAll } from '../../lab/undo.ts';
import { waitFor } from '../../lab/wait.ts';
import { ControllerProcess } from '../../rehearsal/controller-process.ts';
import type { NodeAgentOptions } from '../../simulation/actors/node/options.ts';
import {
  ROLL_OUT_TIMES,
  type VirtOperator,
  virtOperator,
} from '../../simulation/actors/operator/virt-operator.ts';
import { simulatedDrover } from '../../simulation/drover.ts';
import { startWebhook } from '../webhook.ts';

export interface LabKubeVirtOptions {
  /** Where KubeVirt is installed. */
  readonly namespace: string;
  readonly launcherImage: string;
  readonly behavior: Behavior;
  readonly nodes: NodeAgentOptions;
  readonly speed: number;
  /** Is told of every eviction that Drover asks for. */
  readonly onEviction?: OnEviction | undefined;
  /** Drover's controllers wait for `startController`; for those who want to see all that they do. */
  readonly waits?: boolean | undefined;
  /** Written on every migration of Drover's making. */
  readonly migrationAnnotations?: Readonly<Record<string, string>> | undefined;
  /** virt-api's calls on VMs, as virtctl makes them, are served; yes where absent. */
  readonly virtctl?: boolean | undefined;
}

export type OnEviction = (call: EvictionCall, result: ApiResult) => void;

/** KubeVirt on a lab: played where it has no part of its own, with Drover's controllers and its eviction webhook. */
export interface LabKubeVirt {
  readonly standIn: StandIn;
  readonly operator: VirtOperator;
  /** Drover's controllers; what is not Drover's goes on without them. */
  readonly controller: ControllerProcess;
  stop(): Promise<void>;
}

/** Resolves when all of it runs. */
export async function startLabKubeVirt(lab: Lab, options: LabKubeVirtOptions): Promise<LabKubeVirt> {
  const { namespace, behavior, nodes, speed } = options;
  const undo: (() => Promise<unknown>)[] = [];
  const stop = (): Promise<void> => undoAll(undo);
  try {
    const { controller, close } = await openDrover(lab, options);
    undo.push(close);
    const launcherImage = (): string => controller.launcherImage;
    const standIn = await startStandIn(lab, { namespace, behavior, nodes, launcherImage });
    undo.push(() => standIn.stop());
    if (!options.waits) controller.start();
    const operator = virtOperator(standIn.context, {
      times: hastenedRollOut(ROLL_OUT_TIMES, speed),
      pauseHandler: (node) => standIn.agents.pauseHandler(node),
      resumeHandler: (node) => standIn.agents.resumeHandler(node),
      restartController: (next) => controller.restart(next),
    });
    const follower = releaseFollower(standIn.context, operator, options.launcherImage);
    follower.start();
    undo.push(() => follower.stop());
    const webhook = await startEvictionWebhook(lab, namespace, behavior);
    undo.push(() => webhook.stop());
    if (options.virtctl !== false) {
      const subresources = await startVirtSubresources(lab, standIn.cluster, namespace);
      undo.push(() => subresources.stop());
    }
    await untilAdmitted(lab);
    return { standIn, operator, controller, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** In the place of KubeVirt's own updater and evacuation controller, and by their account. */
async function openDrover(
  lab: Lab,
  {
    namespace,
    behavior,
    onEviction = () => {},
    migrationAnnotations,
    launcherImage: firstImage,
  }: LabKubeVirtOptions,
) {
  const user = userOf(KUBEVIRT_ACCOUNT.controller, namespace);
  const kubeconfig = await lab.kubeconfigFor({ user, groups: ['system:masters'] });
  const api = connect({ kubeconfig, userAgent: 'drover-controller' });
  const live = new LiveCluster({ api, ...silent });
  live.start();
  await waitFor(() => live.isSynced(), { what: 'the first lists', seconds: 60 });
  const told = tellingEvictions(live, onEviction);
  const cluster = migrationAnnotations ? annotatingMigrations(told, migrationAnnotations) : told;
  const context = { cluster, clock: wallClock, random: systemRandom, ...silent };
  const launcherImage = (): string => controller.launcherImage;
  const controller: ControllerProcess = new ControllerProcess({
    ...{ clock: wallClock, launcherImage: firstImage },
    controllers: () => [simulatedDrover(context, { behavior, launcherImage })],
  });
  const close = async (): Promise<void> => {
    await controller.stop();
    await live.stop();
    await api.close();
  };
  return { controller, close };
}

/** By virt-api's account: marks of others would be put back. */
async function startEvictionWebhook(lab: Lab, namespace: string, behavior: Behavior) {
  const files = {
    certificateFile: join(lab.folder, 'webhook.crt'),
    keyFile: join(lab.folder, 'webhook.key'),
  };
  const { certificate, key } = await lab.serverCertificate();
  writeFileSync(files.certificateFile, certificate);
  writeFileSync(files.keyFile, key, { mode: 0o600 });
  const user = userOf(KUBEVIRT_ACCOUNT.api, namespace);
  const named = { namespace: 'kubevirt', name: 'drover-webhook' };
  const running = await startWebhook(
    {
      ...{ guard: false, defaults: [], service: named, secret: named, certificate: files, behavior },
      source: { kubeconfig: await lab.kubeconfigFor({ user, groups: ['system:masters'] }) },
      ...{ bindAddress: '127.0.0.1', port: 0, metricsPort: 0, metricsTls: false },
      ...{ answerWithinSeconds: 8, mostBytes: 4 * 1024 * 1024, stopDelaySeconds: 0, logLevel: 'error' },
    },
    silent.log,
    new AbortController().signal,
  );
  const address = { url: `https://127.0.0.1:${running.port}` };
  const all = configurationsOf({ mode: 'kubevirt', address, caBundle: lab.authority });
  // New VMIs get their defaults, the strategy among them, of the stand-in's own admission.
  const validating = all.filter(({ kind }) => kind === 'ValidatingWebhookConfiguration');
  for (const body of validating) await mustCreate(lab.admin, VALIDATING, body);
  return {
    async stop() {
      for (const body of validating)
        await lab.admin.call({ method: 'DELETE', path: `${VALIDATING}/${objectAt(body, 'metadata').name}` });
      await running.stop();
    },
  };
}

const VALIDATING = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

/** New configurations hold after a while: until a VM without anything in it is refused. */
async function untilAdmitted(lab: Lab): Promise<void> {
  const path = '/apis/kubevirt.io/v1/namespaces/default/virtualmachines';
  const body = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata: { name: 'probe' } };
  const isRefused = async (): Promise<boolean> => {
    const answer = await lab.admin.call({ method: 'POST', path, query: { dryRun: 'All' }, body });
    return !answer.ok && answer.message.includes('denied the request');
  };
  await waitFor(isRefused, { what: 'the admission of VMs', seconds: 30 });
}
