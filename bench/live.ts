import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonObject, objectAt, objectsAt } from '../src/kubevirt/json.ts';
import { type Lab, startLab } from '../src/lab/lab.ts';
import { kubevirtCrds } from '../src/lab/objects/crds.ts';
import { loadCrds } from '../src/lab/objects/load-crds.ts';
import { logged, type Replica, startController } from '../src/main/controller/test-controller.ts';
import { patch } from '../src/main/webhook/test-webhook.ts';
import { cpuSecondsOf, peakMiBOf, residentMiBOf, sumOf } from './idle.ts';
import { CR, fill, KUBEVIRT_IO } from './live-fill.ts';

/** What `drover controller` costs on a real API server with so many VMs. */
export interface LiveFacts {
  readonly vmis: number;
  readonly pods: number;
  /** From the start of the process until it leads with a whole picture, Node's own start and compilation included. */
  readonly syncSeconds: number;
  readonly syncCpuSeconds: number;
  /** At the end of a minute in which nothing happened. */
  readonly steadyMiB: number;
  readonly peakMiB: number;
  /** CPU in a second of that minute. */
  readonly idleCpuPercent: number;
  readonly idleRequests: number;
  /** A pass over the outdated VMs, writes included. */
  readonly passSeconds: number;
  readonly moved: number;
  readonly writesByVmMoved: Readonly<Record<string, number>>;
  readonly movingCpuPercent: number;
}

const NEW_IMAGE = 'launcher:next';
/** The most that reading the lists may take. */
const SYNC_SECONDS = 600;
const IDLE_SECONDS = 60;
const MOVING_SECONDS = 60;
const MIGRATIONS = 'virtualmachineinstancemigrations';

export async function measureLive(vms: number): Promise<LiveFacts> {
  const lab = await startLab({
    apiServerFlags: [
      '--disable-admission-plugins=ServiceAccount,TaintNodesByCondition',
      `--audit-policy-file=${noAudit()}`,
      '--max-requests-inflight=2000',
      '--max-mutating-requests-inflight=1000',
    ],
  });
  try {
    await loadCrds(lab.admin, kubevirtCrds());
    await fill(lab, vms);
    return await watch(lab);
  } finally {
    await lab.stop();
  }
}

/** The log of all requests would take more than the requests. */
function noAudit(): string {
  const file = join(tmpdir(), `drover-bench-audit-${process.pid}.json`);
  writeFileSync(
    file,
    JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'None' }] }),
  );
  return file;
}

async function watch(lab: Lab): Promise<LiveFacts> {
  const startedAt = performance.now();
  const replica = startController(lab.kubeconfig, [
    '--launcher-image',
    NEW_IMAGE,
    '--journal',
    `${lab.folder}/journal`,
  ]);
  try {
    const { metricsPort } = await logged(replica, 'listening');
    await logged(replica, 'leading', {}, SYNC_SECONDS);
    const sync = {
      seconds: (performance.now() - startedAt) / 1000,
      cpuSeconds: cpuSecondsOf(replica.child.pid ?? 0),
    };
    await sleep(15_000);
    const idle = await during(replica, Number(metricsPort), IDLE_SECONDS, async () => {});
    const steadyMiB = residentMiBOf(replica.child.pid ?? 0);
    const strategy = { workloadUpdateMethods: ['LiveMigrate'] };
    await patch(lab, CR, { spec: { workloadUpdateStrategy: strategy } });
    let moved = 0;
    const moving = await during(replica, Number(metricsPort), MOVING_SECONDS, async () => {
      moved += await endMigrations(lab);
    });
    const counts = Object.entries(moving.writes).map(([verb, count]) => [verb, count / moved] as const);
    return {
      ...(await countsOf(lab)),
      ...{
        syncSeconds: sync.seconds,
        syncCpuSeconds: sync.cpuSeconds,
        steadyMiB,
        peakMiB: peakMiBOf(replica.child.pid ?? 0),
      },
      ...{ idleCpuPercent: idle.cpuPercent, idleRequests: idle.requests },
      ...{ passSeconds: moving.passSeconds, moved, movingCpuPercent: moving.cpuPercent },
      writesByVmMoved: Object.fromEntries(counts),
    };
  } finally {
    replica.child.kill('SIGTERM');
    await replica.ended;
  }
}

async function countsOf(lab: Lab): Promise<{ vmis: number; pods: number }> {
  const count = async (path: string): Promise<number> => {
    const answer = await lab.admin.call({ method: 'GET', path, query: { limit: '1' } });
    if (!answer.ok) throw new Error(answer.message);
    return 1 + Number(objectAt(answer.object, 'metadata').remainingItemCount ?? 0);
  };
  return {
    vmis: await count(`${KUBEVIRT_IO}/virtualmachineinstances`),
    pods: await count('/api/v1/pods'),
  };
}

/** Does something again and again for so long, and says what that time took of the controller. */
async function during({ child }: Replica, port: number, seconds: number, act: () => Promise<void>) {
  const read = async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const writes = ['create', 'update', 'patch', 'evict', 'delete'].map(
      (verb) => [verb, sumOf(text, 'drover_api_requests_total', `verb="${verb}"`)] as const,
    );
    const passes = 'controller="workload-update"';
    return {
      at: performance.now(),
      cpuSeconds: cpuSecondsOf(child.pid ?? 0),
      requests: sumOf(text, 'drover_api_requests_total'),
      passCount: sumOf(text, 'drover_reconcile_seconds_count', passes),
      passSum: sumOf(text, 'drover_reconcile_seconds_sum', passes),
      writes,
    };
  };
  const before = await read();
  while (performance.now() - before.at < seconds * 1000) {
    await act();
    await sleep(500);
  }
  const after = await read();
  const took = (after.at - before.at) / 1000;
  return {
    cpuPercent: (100 * (after.cpuSeconds - before.cpuSeconds)) / took,
    requests: after.requests - before.requests,
    passSeconds: (after.passSum - before.passSum) / (after.passCount - before.passCount),
    writes: Object.fromEntries(
      after.writes.map(([verb, count], i) => [verb, count - (before.writes[i]?.[1] ?? 0)]),
    ),
  };
}

/** Has all new migrations succeed at once; gives how many. */
async function endMigrations(lab: Lab): Promise<number> {
  const answer = await lab.admin.call({ method: 'GET', path: `${KUBEVIRT_IO}/${MIGRATIONS}` });
  if (!answer.ok) return 0;
  const fresh = objectsAt(answer.object, 'items').filter(
    (each) => objectAt(each, 'status').phase === undefined,
  );
  const end = async (migration: JsonObject): Promise<void> => {
    const { namespace, name } = objectAt(migration, 'metadata');
    const root = `${KUBEVIRT_IO}/namespaces/${namespace}`;
    await patch(lab, `${root}/virtualmachineinstances/${objectAt(migration, 'spec').vmiName}`, {
      status: { launcherContainerImageVersion: NEW_IMAGE },
    });
    await patch(lab, `${root}/${MIGRATIONS}/${name}/status`, { status: { phase: 'Succeeded' } });
  };
  await Promise.all(fresh.map(end));
  return fresh.length;
}
