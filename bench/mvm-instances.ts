import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import type { MovesToSchedule } from '../src/decide/schedule/moves.ts';
import { payloadMBps, wiringOf } from '../src/decide/transfer/wiring.ts';

/**
 * The instances of Kherbache, Madelaine and Hermenier (UCC 2015): nodes, VMs with source and target, and the plan that
 * their scheduler mVM published for each.
 */
const node = z.object({ id: z.number(), nicMbps: z.number(), rack: z.number() });
const vm = z.object({
  id: z.number(),
  from: z.number(),
  to: z.number(),
  memUsedMB: z.number(),
  hotSetMB: z.number(),
  hotSetSeconds: z.number(),
  coldDirtyMBps: z.number(),
});
const publishedMove = z.object({
  vm: z.number(),
  start: z.number(),
  end: z.number(),
  bandwidthMbps: z.number(),
});
const published = z.object({
  makespanSeconds: z.number(),
  meanMoveSeconds: z.number(),
  moves: z.array(publishedMove),
});
const instance = z.object({ name: z.string(), nodes: z.array(node), vms: z.array(vm), published });
const file = z.object({ rackUplinkMbps: z.number().nullable(), instances: z.array(instance) });

/**
 * The formula that the plans were made with adds up rounds that shrink to nothing, and so leaves no downtime; thirty
 * milliseconds are short of that by less than the whole seconds in which it is published.
 */
const DOWNTIME_LIMIT_SECONDS = 0.03;

export interface MvmInstance {
  readonly name: string;
  readonly input: MovesToSchedule;
  readonly published: z.infer<typeof published>;
}

/** The instances of one file, in its order. Node 3 is `n3`, VM 7 `vm7`. */
export function mvmInstances(name: 'random' | 'decommission'): MvmInstance[] {
  const url = new URL(`../testdata/mvm/${name}.json.gz`, import.meta.url);
  const { rackUplinkMbps, instances } = file.parse(
    JSON.parse(gunzipSync(readFileSync(url)).toString('utf8')),
  );
  return instances.map((of) => ({
    name: of.name,
    published: of.published,
    input: {
      wiring: wiringOf(
        of.nodes.map(({ id, nicMbps, rack }) => ({ node: `n${id}`, nicMbps, rack: `r${rack}` })),
        rackUplinkMbps ?? undefined,
      ),
      moves: of.vms.map(moveOf),
    },
  }));
}

/**
 * The same moves, each exactly as long as it was planned to be: guests that write to nothing, with as much memory as
 * arrives in that time. What remains is the scheduling alone.
 */
export function asPublished({ input, published: { moves } }: MvmInstance): MovesToSchedule {
  const planned = new Map(moves.map((move) => [`vm${move.vm}`, move]));
  const idle = { hotSetMB: 0, hotSetSeconds: 0, coldDirtyMBps: 0 };
  return {
    ...input,
    moves: input.moves.map((move) => {
      const { start = 0, end = 0, bandwidthMbps = 0 } = planned.get(move.vm) ?? {};
      return { ...move, memory: { memoryMB: (end - start) * payloadMBps(bandwidthMbps), ...idle } };
    }),
  };
}

function moveOf({ id, from, to, memUsedMB, ...dirty }: z.infer<typeof vm>): MovesToSchedule['moves'][number] {
  const { hotSetMB, hotSetSeconds, coldDirtyMBps } = dirty;
  return {
    vm: `vm${id}`,
    from: `n${from}`,
    to: `n${to}`,
    downtimeLimitSeconds: DOWNTIME_LIMIT_SECONDS,
    memory: { memoryMB: memUsedMB, hotSetMB, hotSetSeconds, coldDirtyMBps },
  };
}
