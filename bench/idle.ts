import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lab } from '../src/lab/lab.ts';
import {
  logged,
  NEW_IMAGE,
  type Replica,
  runOldVm,
  setStrategy,
  startController,
  startControllerLab,
} from '../src/main/controller/test-controller.ts';
import { patch, put } from '../src/main/webhook/test-webhook.ts';

export interface IdleOptions {
  readonly methods: readonly string[];
  readonly minutes: number;
  readonly vmis?: number;
}

/** What one minute took. */
export interface IdleMinute {
  readonly reconciles: number;
  /** Asked for, all of them refused. */
  readonly evictions: number;
  /** To the API server, of any kind. */
  readonly requests: number;
  /** User and system time of the process, all threads. */
  readonly cpuSeconds: number;
  /** At its end. */
  readonly residentMiB: number;
}

/** Starts a cluster of VMIs with old launchers that cannot migrate and whose evictions a budget refuses, and a controller; then watches it. */
export async function measureIdle({ methods, minutes, vmis = 1_000 }: IdleOptions): Promise<IdleMinute[]> {
  const lab = await startControllerLab();
  try {
    await setStrategy(lab, { methods });
    await refuseEvictions(lab, vmis);
    await createVms(lab, vmis);
    return await watch(lab, minutes);
  } finally {
    await lab.stop();
  }
}

async function createVms(lab: Lab, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, i) => `vm-${i}`);
  const work = async (): Promise<void> => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) await runOldVm(lab, name, false);
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

async function refuseEvictions(lab: Lab, pods: number): Promise<void> {
  const path = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  const selector = { matchLabels: { 'kubevirt.io': 'virt-launcher' } };
  const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'all' } };
  await put(lab, path, { ...budget, spec: { minAvailable: '100%', selector } });
  const counts = { expectedPods: pods, desiredHealthy: pods, currentHealthy: 0, disruptionsAllowed: 0 };
  await patch(lab, `${path}/all/status`, { status: { observedGeneration: 1, ...counts } });
}

async function watch(lab: Lab, minutes: number): Promise<IdleMinute[]> {
  const flags = ['--launcher-image', NEW_IMAGE, '--journal', `${lab.folder}/journal`];
  const replica = startController(lab.kubeconfig, flags);
  try {
    const { metricsPort } = await logged(replica, 'listening');
    await logged(replica, 'running');
    await logged(replica, 'leading');
    const measured: IdleMinute[] = [];
    let before = await sample(replica, Number(metricsPort));
    while (measured.length < minutes) {
      await sleep(60_000);
      const after = await sample(replica, Number(metricsPort));
      measured.push(between(before, after));
      before = after;
    }
    return measured;
  } finally {
    replica.child.kill('SIGTERM');
    await replica.ended;
  }
}

async function sample({ child }: Replica, metricsPort: number): Promise<IdleMinute> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return {
    reconciles: sumOf(text, 'drover_reconciles_total'),
    evictions: sumOf(text, 'drover_api_requests_total', 'verb="evict"'),
    requests: sumOf(text, 'drover_api_requests_total'),
    cpuSeconds: cpuSecondsOf(child.pid ?? 0),
    residentMiB: residentMiBOf(child.pid ?? 0),
  };
}

function between(before: IdleMinute, after: IdleMinute): IdleMinute {
  return {
    reconciles: after.reconciles - before.reconciles,
    evictions: after.evictions - before.evictions,
    requests: after.requests - before.requests,
    cpuSeconds: after.cpuSeconds - before.cpuSeconds,
    residentMiB: after.residentMiB,
  };
}

/** All series of a counter that have the label in them. */
export function sumOf(text: string, name: string, label = ''): number {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) && line.includes(label));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

/** Clock ticks a second, which Linux has 100 of wherever Node runs. */
const TICKS = 100;

/** utime and stime of proc_pid_stat(5); the name before them may hold spaces, so counting begins behind it. */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

export function residentMiBOf(pid: number): number {
  return mebibytesOf(pid, /^VmRSS:\s+(\d+)/m);
}

/** The most that was resident at any time. */
export function peakMiBOf(pid: number): number {
  return mebibytesOf(pid, /^VmHWM:\s+(\d+)/m);
}

function mebibytesOf(pid: number, line: RegExp): number {
  return Math.round(Number(line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}
