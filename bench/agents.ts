import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from '../src/fleet/fleet.ts';
import type { JsonObject } from '../src/kubevirt/json.ts';
import { isMigrationFinal } from '../src/kubevirt/predicates.ts';
import { LAB_FLAGS, type Lab, startLab } from '../src/lab/lab.ts';
import { kubevirtCrds } from '../src/lab/objects/crds.ts';
import { KUBEVIRT_NAMESPACE, kubevirtOf, launcherImageOf, vmsOf } from '../src/lab/objects/first-objects.ts';
import { loadCrds } from '../src/lab/objects/load-crds.ts';
import { AGENTS_ACCOUNT, AGENTS_NAMESPACE } from '../src/lab/played/agent-rights.ts';
import { startLabKubeVirt } from '../src/main/lab/kubevirt.ts';
import { DroverProcess, drover } from '../src/main/lab/test-process.ts';
import { type AuditedWrite, countsOf, isRefused, type WriteCount, writesIn } from './audit.ts';

export interface AgentsOptions {
  readonly nodes: number;
  readonly vmis: number;
  /** Moves at once. */
  readonly parallel: number;
  /** Of them out of a node; 2 where absent. */
  readonly outbound?: number;
}

/** What a part of the course took. CPU is that of all threads, user and system. */
export interface AgentsCost {
  readonly seconds: number;
  readonly agentsCpuSeconds: number;
  readonly apiServerCpuSeconds: number;
}

export interface AgentsFacts extends AgentsOptions {
  readonly boot: AgentsCost;
  readonly move: AgentsCost;
  readonly agentsPeakMiB: number;
  /** Of VMIs by the agents, for one VMI that boots and moves, and how many were refused. */
  readonly vmiWritesEach: number;
  readonly vmiWritesRefused: number;
  /** While all move: what was written, by whom. */
  readonly moveWrites: readonly WriteCount[];
  /** While all move: CPU of this process, in which KubeVirt's controllers are played and Drover's run. */
  readonly controllersCpuSeconds: number;
}

/** The whole audit in one file, however large. */
const FLAGS = [...LAB_FLAGS, '--audit-log-maxsize=100000'];
const OLD = 'v1.9.0';
const NEW = 'v1.9.1';
const PATIENCE_SECONDS = 900;
const SETTLE_MS = 3_000;

/**
 * Node agents as a process of their own on a real API server, with Drover's controllers and a stand-in for KubeVirt's in this
 * one: so many VMIs boot, then another release is rolled out and all of them move.
 */
export async function measureAgents(options: AgentsOptions): Promise<AgentsFacts> {
  const lab = await startLab({ controllerManager: true, scheduler: true, apiServerFlags: FLAGS });
  try {
    await install(lab, options);
    const agents = await startAgents(lab, options.nodes);
    const kubevirt = await startLabKubeVirt(lab, {
      namespace: KUBEVIRT_NAMESPACE,
      launcherImage: launcherImageOf(OLD),
      behavior: 'intended',
      nodes: { plays: () => false },
      speed: 10,
    });
    try {
      return await course(lab, agents, kubevirt.standIn.cluster.fleet, options);
    } finally {
      await kubevirt.stop();
      agents.child.kill('SIGTERM');
      await agents.ended;
    }
  } finally {
    await lab.stop();
  }
}

async function course(
  lab: Lab,
  agents: DroverProcess,
  fleet: Fleet,
  options: AgentsOptions,
): Promise<AgentsFacts> {
  const pid = agents.child.pid ?? 0;
  const boot = await costOf(lab, pid, async () => {
    // Bridged ones would not move.
    const vms = vmsOf(options.vmis * 2).filter((vm) => !isBridged(vm));
    await createAll(lab, vms.slice(0, options.vmis));
    await until(() => booted(fleet) === options.vmis);
  });
  // What boots bring about is written behind them.
  await sleep(SETTLE_MS);
  const movingSince = Date.now();
  const cpuBefore = process.cpuUsage();
  const move = await costOf(lab, pid, async () => {
    await patchKubeVirt(lab, { spec: { imageTag: NEW } });
    await until(() => moved(fleet) === options.vmis);
  });
  const { user, system } = process.cpuUsage(cpuBefore);
  const writes = await writesIn(lab);
  const vmiWrites = writes.filter(isVmiWriteOfAgents);
  return {
    ...{ ...options, boot, move, agentsPeakMiB: peakMiBOf(pid) },
    vmiWritesEach: vmiWrites.length / options.vmis,
    vmiWritesRefused: vmiWrites.filter(isRefused).length,
    moveWrites: countsOf(writes.filter(({ at }) => at >= movingSince)),
    controllersCpuSeconds: (user + system) / 1_000_000,
  };
}

function booted(fleet: Fleet): number {
  return [...fleet.all('VirtualMachineInstance')].filter(({ status }) => status?.phase === 'Running').length;
}

/** On the new launcher, and nothing under way any more. */
function moved(fleet: Fleet): number {
  if (![...fleet.all('VirtualMachineInstanceMigration')].every(isMigrationFinal)) return 0;
  const image = launcherImageOf(NEW);
  return [...fleet.all('VirtualMachineInstance')].filter(
    ({ status }) => status?.launcherContainerImageVersion === image && status.migrationState?.completed,
  ).length;
}

function isBridged({ metadata }: JsonObject): boolean {
  return JSON.stringify(metadata).includes('bridged');
}

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not done within ${PATIENCE_SECONDS} s`);
    await sleep(250);
  }
}

async function install(lab: Lab, { parallel, outbound = 2 }: AgentsOptions): Promise<void> {
  await loadCrds(lab.admin, kubevirtCrds());
  await post(lab, '/api/v1/namespaces', { metadata: { name: KUBEVIRT_NAMESPACE } });
  const path = `/apis/kubevirt.io/v1/namespaces/${KUBEVIRT_NAMESPACE}/kubevirts`;
  const { status, ...kubevirt } = kubevirtOf(OLD);
  const made = await post(lab, path, kubevirt);
  const body = { ...made, status };
  await lab.admin.call({ method: 'PUT', path: `${path}/kubevirt/status`, body });
  const migrations = { parallelMigrationsPerCluster: parallel, parallelOutboundMigrationsPerNode: outbound };
  const workloadUpdateStrategy = { workloadUpdateMethods: ['LiveMigrate'] };
  await patchKubeVirt(lab, { spec: { workloadUpdateStrategy, configuration: { migrations } } });
}

async function startAgents(lab: Lab, nodes: number): Promise<DroverProcess> {
  const rights = await drover(['lab', 'agents', '--print-rbac']);
  const applied = await lab.kubectl(['apply', '-f', '-'], { stdin: rights.out });
  if (applied.code !== 0) throw new Error(applied.stderr);
  const account = await lab.kubeconfigForAccount(`${AGENTS_NAMESPACE}/${AGENTS_ACCOUNT}`);
  const agents = new DroverProcess(['lab', 'agents', '--kubeconfig', account, '--nodes', String(nodes)]);
  await agents.says('nodes are played', 120);
  return agents;
}

async function createAll(lab: Lab, bodies: readonly JsonObject[]): Promise<void> {
  const left = [...bodies];
  const work = async (): Promise<void> => {
    for (let body = left.shift(); body; body = left.shift())
      await post(lab, '/apis/kubevirt.io/v1/namespaces/default/virtualmachines', body);
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

async function post(lab: Lab, path: string, body: JsonObject): Promise<JsonObject> {
  const made = await lab.admin.call({ method: 'POST', path, body });
  if (!made.ok) throw new Error(`${path}: ${made.message}`);
  return made.object;
}

async function patchKubeVirt(lab: Lab, body: JsonObject): Promise<void> {
  const path = `/apis/kubevirt.io/v1/namespaces/${KUBEVIRT_NAMESPACE}/kubevirts/kubevirt`;
  const contentType = 'application/merge-patch+json';
  const patched = await lab.admin.call({ method: 'PATCH', path, contentType, body });
  if (!patched.ok) throw new Error(patched.message);
}

async function costOf(lab: Lab, agents: number, work: () => Promise<void>): Promise<AgentsCost> {
  const begun = performance.now();
  const [ours, theirs] = [cpuSecondsOf(agents), cpuSecondsOf(lab.apiServer.pid)];
  await work();
  return {
    seconds: (performance.now() - begun) / 1000,
    agentsCpuSeconds: cpuSecondsOf(agents) - ours,
    apiServerCpuSeconds: cpuSecondsOf(lab.apiServer.pid) - theirs,
  };
}

/** proc(5): utime and stime, in hundredths of a second, are the 14th and 15th field; the 2nd may hold spaces. */
function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function peakMiBOf(pid: number): number {
  const [, kib = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

function isVmiWriteOfAgents({ verb, resource, asHandler }: AuditedWrite): boolean {
  return verb === 'update' && resource === 'virtualmachineinstances' && asHandler;
}
