/** What kubectl printed in the recordings, against what ours prints when the pods go as they went then. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { DRAIN_CLIENTS } from '../../../decide/drain/clients.ts';
import type { Kind } from '../../../fleet/fleet.ts';
import { type JsonObject, objectAt, objectsAt } from '../../../kubevirt/json.ts';
import { isKnownKind } from '../../../kubevirt/kinds.ts';
import { evictionWebhook } from '../../eviction-webhook.ts';
import { World } from '../../test-world.ts';
import { actorContext } from '../test-context.ts';
import { type DrainResult, kubectlDrain } from './kubectl.ts';

interface Recorded {
  readonly t: number;
  readonly change: string;
  readonly kind: string;
  readonly name: string;
  readonly state: JsonObject | undefined;
}

const fileOf = (name: string, file: string) =>
  readFileSync(new URL(`../../../../testdata/histories/${name}/${file}`, import.meta.url));

const unzipped = (name: string, file: string) => gunzipSync(fileOf(name, file)).toString();

function recordingOf(name: string) {
  const before: JsonObject = JSON.parse(unzipped(name, 'before.json.gz'), (_, value) => value ?? undefined);
  const changes: Recorded[] = unzipped(name, 'history.jsonl.gz')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line, (_, value) => value ?? undefined));
  const scenario: JsonObject = JSON.parse(fileOf(name, 'scenario.json').toString());
  const drain = objectsAt(scenario, 'timeline').find(({ action }) => action === 'drain');
  const [head = '', stdout = '', stderr = ''] = fileOf(name, 'drain-n1.txt')
    .toString()
    .split(/--- std(?:out|err)\n/);
  const linesOf = (text: string) =>
    text.split('\n').filter((line) => line !== '' && !line.includes('throttling'));
  return {
    objects: objectsAt(before, 'items').filter(({ kind }) => isKnownKind(String(kind))),
    changes,
    timeoutSeconds: Number(drain?.timeout),
    exitCode: Number(head.replace('$ exit ', '')),
    stdout: linesOf(stdout),
    stderr: linesOf(stderr),
  };
}

/** Lets the pods of n1 end and go, and their VMIs move, when they did. */
function playChanges(world: World, name: string, changes: readonly Recorded[]): void {
  const cordonedAt = changes.find(({ kind, state }) => kind === 'Node' && state?.unschedulable)?.t ?? 0;
  for (const { t, change, kind, name: object, state } of changes.filter((one) => one.t > cordonedAt)) {
    const key = `${name}/${object}`;
    if (!isKnownKind(kind) || world.api.get(kind, key) === undefined) continue;
    world.clock.after(t - cordonedAt, () => {
      if (kind === 'Pod' && change === 'deleted') world.api.delete('Pod', key, { graceSeconds: 0 });
      else if (kind === 'Pod' && state?.phase) setStatus(world, 'Pod', key, { phase: state.phase });
      else if (kind === 'VirtualMachineInstance' && state) {
        const { evacuationNodeName, nodeName } = objectAt(state, 'status');
        setStatus(world, kind, key, { evacuationNodeName, nodeName });
      }
    });
  }
}

function setStatus(world: World, kind: Kind, key: string, change: object): void {
  const subresource = kind === 'Pod' ? 'status' : undefined;
  world.api.modify(kind, key, (held) => ({ ...held, status: { ...objectAt(held, 'status'), ...change } }), {
    subresource,
  });
}

async function replay(name: string, recording: ReturnType<typeof recordingOf>): Promise<DrainResult> {
  const world = new World(...recording.objects);
  const context = actorContext(world, { evictionWebhook: evictionWebhook(world.api, 'exact') });
  playChanges(world, name, recording.changes);
  const client = { ...DRAIN_CLIENTS.kubectl, timeoutSeconds: recording.timeoutSeconds };
  const results: DrainResult[] = [];
  void kubectlDrain(context, { nodes: ['n1'], client }).done.then((result) => results.push(result));
  await world.clock.advance(recording.timeoutSeconds + 30);
  const [result] = results;
  if (!result) throw new Error('the drain does not end');
  return result;
}

/** A line that names several pods, in an order that is chance. */
const sorted = (line: string) =>
  line.replace(/\[(.*)\]/, (_, list: string) => `[${list.split(', ').sort().join(', ')}]`);
const inAnyOrder = (lines: readonly string[]) => lines.map(sorted).sort();

it.each([
  'drain-matrix',
  'failing-migration',
  'hotplug-drain',
  'random-cluster-2',
  'strategy-flip',
  'unschedulable',
])('prints what kubectl printed in %s', async (name) => {
  const recording = recordingOf(name);
  const result = await replay(name, recording);
  expect(result.exitCode).toBe(recording.exitCode);
  expect(inAnyOrder(result.stdout)).toEqual(inAnyOrder(recording.stdout));
  expect(inAnyOrder(result.stderr)).toEqual(inAnyOrder(recording.stderr));
});
