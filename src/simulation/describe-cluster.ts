import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Change, Cluster, JsonPatchOperation } from '../controllers/ports.ts';
import type { Kind } from '../fleet/fleet.ts';
import { type JsonObject, objectAt } from '../kubevirt/json.ts';

/** A cluster that the contract is tried on, empty as far as `KINDS_UNDER_TEST` go, with a namespace `default` and a node `n1`. */
export interface ClusterUnderTest {
  readonly cluster: Cluster;
  /** Resolves when the question is answered by yes; rejects when that takes too long. `what` says what is waited for. */
  until(holds: () => boolean, what: string): Promise<void>;
  /** The object as the API server has it now. */
  read(kind: Kind, key: string): Promise<JsonObject | undefined>;
  stop(): Promise<void>;
}

export const KINDS_UNDER_TEST = [
  'VirtualMachineInstance',
  'VirtualMachineInstanceMigration',
  'Pod',
  'PodDisruptionBudget',
] as const satisfies readonly Kind[];

const MIGRATION = 'VirtualMachineInstanceMigration';
const VMI = 'VirtualMachineInstance';
const NAMESPACE = 'default';

/** What every Cluster promises, whichever world is behind it. */
export function describeCluster(start: () => Promise<ClusterUnderTest>): void {
  let under: ClusterUnderTest;
  const changes: Change[] = [];
  let made = 0;

  beforeAll(async () => {
    under = await start();
    under.cluster.subscribe((change) => {
      const held = under.cluster.fleet.get(change.kind, change.key);
      if (held !== change.after) throw new Error(`${change.key} was told before the fleet had it`);
      changes.push(change);
    });
  }, 120_000);
  afterAll(() => under?.stop());

  const newName = (): string => `made-${++made}`;
  const keyFor = (name: string): string => `${NAMESPACE}/${name}`;
  const read = (kind: Kind, name: string) => under.read(kind, keyFor(name));
  const create = (kind: Kind, object: object) => under.cluster.create(kind, NAMESPACE, object);
  const remove = (kind: Kind, name: string) => under.cluster.delete(kind, keyFor(name));
  const patch = (kind: Kind, name: string, ...operations: JsonPatchOperation[]) =>
    under.cluster.patch(kind, keyFor(name), operations);
  const patchStatus = (kind: Kind, name: string, status: object) =>
    under.cluster.patch(kind, keyFor(name), [{ op: 'add', path: '/status', value: status }], {
      subresource: 'status',
    });
  const told = (name: string): string[] =>
    changes
      .filter(({ key }) => key === keyFor(name))
      .map(({ before, after }) => (before ? (after ? 'changed' : 'gone') : 'came'));
  const hear = (name: string, ...expected: string[]): Promise<void> =>
    under.until(() => told(name).join() === expected.join(), `${name} to be told as ${expected.join()}`);

  async function make(kind: Kind, object: object = {}): Promise<string> {
    const name = newName();
    const { metadata, ...rest } = object as { metadata?: object };
    const result = await create(kind, { metadata: { ...metadata, name }, ...rest });
    expect(result).toEqual({ ok: true, name });
    return name;
  }

  const migration = (): Promise<string> => make(MIGRATION, { spec: { vmiName: 'db' } });

  describe('a creation', () => {
    it('makes an object of that name, which the fleet learns of, once', async () => {
      const name = await migration();
      await hear(name, 'came');
      expect(under.cluster.fleet.get(MIGRATION, keyFor(name))).toMatchObject({
        kind: MIGRATION,
        metadata: {
          name,
          namespace: NAMESPACE,
          uid: expect.stringMatching(/^[-0-9a-f]{36}$/),
          generation: 1,
        },
        spec: { vmiName: 'db' },
      });
    });

    it('makes up a name of its own', async () => {
      const draft = { metadata: { generateName: 'kubevirt-evacuation-' }, spec: { vmiName: 'db' } };
      const [one, other] = [await create(MIGRATION, draft), await create(MIGRATION, draft)];
      const pattern = /^kubevirt-evacuation-[bcdfghjklmnpqrstvwxz2456789]{5}$/;
      expect([one, other]).toMatchObject([{ ok: true, name: expect.stringMatching(pattern) }, { ok: true }]);
      expect(one).not.toEqual(other);
    });

    it('is refused where there is one of that name', async () => {
      const name = await migration();
      expect(await create(MIGRATION, { metadata: { name }, spec: { vmiName: 'other' } })).toEqual({
        ok: false,
        code: 409,
        reason: 'AlreadyExists',
        message: `virtualmachineinstancemigrations.kubevirt.io "${name}" already exists`,
      });
      expect(await read(MIGRATION, name)).toMatchObject({ spec: { vmiName: 'db' } });
    });

    it.each(['', 'No Name', '-a', 'a_b'])('is refused with the name "%s"', async (name) => {
      const result = await create(MIGRATION, { metadata: { name }, spec: {} });
      expect(result).toMatchObject({ ok: false, code: 422, reason: 'Invalid' });
    });

    it('is refused where the object names another namespace', async () => {
      const metadata = { name: newName(), namespace: 'elsewhere' };
      expect(await create(MIGRATION, { metadata })).toMatchObject({ ok: false, code: 400 });
    });

    it('takes no status along where status has a door of its own, and does where it has none', async () => {
      const status = { phase: 'Running' };
      const [one, other] = [await make(MIGRATION, { status }), await make(VMI, { status })];
      expect(await read(MIGRATION, one)).not.toHaveProperty('status');
      expect(await read(VMI, other)).toMatchObject({ status });
    });
  });

  describe('a patch', () => {
    it('changes what it says, which the fleet learns of, and keeps the rest', async () => {
      const name = await migration();
      const label = { op: 'add', path: '/metadata/labels', value: { a: 'b' } } as const;
      expect(await patch(MIGRATION, name, label)).toEqual({ ok: true, name });
      await hear(name, 'came', 'changed');
      const held = under.cluster.fleet.get(MIGRATION, keyFor(name));
      expect(held).toMatchObject({ metadata: { labels: { a: 'b' } }, spec: { vmiName: 'db' } });
    });

    it('is refused for what is not there', async () => {
      expect(await patch(MIGRATION, 'nobody', { op: 'add', path: '/spec', value: {} })).toEqual({
        ok: false,
        code: 404,
        reason: 'NotFound',
        message: 'virtualmachineinstancemigrations.kubevirt.io "nobody" not found',
      });
    });

    it.each<[string, JsonPatchOperation]>([
      ['its test does not hold', { op: 'test', path: '/spec/vmiName', value: 'other' }],
      ['it adds below what is not there', { op: 'add', path: '/nothing/below', value: 1 }],
      ['it removes what is not there', { op: 'remove', path: '/spec/nothing' }],
    ])('changes nothing where %s', async (_, operation) => {
      const name = await migration();
      const other = { op: 'add', path: '/metadata/labels', value: { a: 'b' } } as const;
      expect(await patch(MIGRATION, name, other, operation)).toMatchObject({
        ok: false,
        code: 422,
        reason: 'Invalid',
      });
      expect(await read(MIGRATION, name)).not.toHaveProperty('metadata.labels');
    });

    it('is refused where the object has changed since it was read', async () => {
      const name = await migration();
      const { resourceVersion } = objectAt((await read(MIGRATION, name)) ?? {}, 'metadata');
      const write = (value: string) => [
        { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion } as const,
        { op: 'add', path: '/spec/vmiName', value } as const,
      ];
      expect(await patch(MIGRATION, name, ...write('first'))).toEqual({ ok: true, name });
      expect(await patch(MIGRATION, name, ...write('second'))).toEqual({
        ok: false,
        code: 409,
        reason: 'Conflict',
        message: `Operation cannot be fulfilled on virtualmachineinstancemigrations.kubevirt.io "${name}": the object has been modified; please apply your changes to the latest version and try again`,
      });
      expect(await read(MIGRATION, name)).toMatchObject({ spec: { vmiName: 'first' } });
    });

    it('that changes nothing makes no new version', async () => {
      const name = await migration();
      const before = await read(MIGRATION, name);
      const same = { op: 'replace', path: '/spec/vmiName', value: 'db' } as const;
      expect(await patch(MIGRATION, name, same)).toEqual({ ok: true, name });
      expect(await read(MIGRATION, name)).toEqual(before);
    });

    it('of the spec makes a new generation, one of metadata does not', async () => {
      const name = await migration();
      await patch(MIGRATION, name, { op: 'add', path: '/metadata/labels', value: { a: 'b' } });
      expect(await read(MIGRATION, name)).toMatchObject({ metadata: { generation: 1 } });
      await patch(MIGRATION, name, { op: 'replace', path: '/spec/vmiName', value: 'other' });
      expect(await read(MIGRATION, name)).toMatchObject({ metadata: { generation: 2 } });
    });

    it('cannot change what an object is', async () => {
      const name = await migration();
      const before = await read(MIGRATION, name);
      await patch(MIGRATION, name, {
        op: 'add',
        path: '/metadata/deletionTimestamp',
        value: '2026-03-01T12:00:00Z',
      });
      expect(await read(MIGRATION, name)).toEqual(before);
      const renamed = await patch(MIGRATION, name, { op: 'replace', path: '/metadata/name', value: 'other' });
      expect(renamed).toMatchObject({ ok: false });
    });

    it('writes status through its door only, and nothing else through that', async () => {
      const name = await migration();
      const status = { op: 'add', path: '/status', value: { phase: 'Pending' } } as const;
      expect(await patch(MIGRATION, name, status)).toMatchObject({ ok: true });
      expect(await read(MIGRATION, name)).not.toHaveProperty('status');
      const both = [status, { op: 'replace', path: '/spec/vmiName', value: 'other' } as const];
      const options = { subresource: 'status' } as const;
      expect(await under.cluster.patch(MIGRATION, keyFor(name), both, options)).toMatchObject({ ok: true });
      expect(await read(MIGRATION, name)).toMatchObject({
        spec: { vmiName: 'db' },
        status: { phase: 'Pending' },
      });
    });

    it('writes the status of a VMI through the object: there is no door', async () => {
      const name = await make(VMI, { status: {} });
      expect(await patchStatus(VMI, name, { phase: 'Running' })).toMatchObject({ ok: false, code: 404 });
      await patch(VMI, name, { op: 'add', path: '/status/phase', value: 'Running' });
      expect(await read(VMI, name)).toMatchObject({ status: { phase: 'Running' } });
    });

    it('keeps nothing of a dry run, and refuses there what it would refuse', async () => {
      const name = await migration();
      const dry = (operation: JsonPatchOperation) =>
        under.cluster.patch(MIGRATION, keyFor(name), [operation], { dryRun: true });
      expect(await dry({ op: 'replace', path: '/spec/vmiName', value: 'other' })).toEqual({ ok: true, name });
      expect(await dry({ op: 'test', path: '/spec/vmiName', value: 'other' })).toMatchObject({ code: 422 });
      expect(await read(MIGRATION, name)).toMatchObject({ spec: { vmiName: 'db' } });
    });
  });

  describe('a deletion', () => {
    it('takes an object away, which the fleet learns of, and finds none the next time', async () => {
      const name = await migration();
      expect(await remove(MIGRATION, name)).toEqual({ ok: true, name });
      await hear(name, 'came', 'gone');
      expect(under.cluster.fleet.get(MIGRATION, keyFor(name))).toBeUndefined();
      expect(await remove(MIGRATION, name)).toMatchObject({ ok: false, code: 404, reason: 'NotFound' });
    });

    it('waits for finalizers, to which none is added then', async () => {
      const name = await make(MIGRATION, { metadata: { finalizers: ['kubevirt.io/migrationJobFinalize'] } });
      expect(await remove(MIGRATION, name)).toEqual({ ok: true, name });
      expect(await remove(MIGRATION, name)).toEqual({ ok: true, name });
      const path = '/metadata/finalizers';
      expect(await read(MIGRATION, name)).toHaveProperty('metadata.deletionTimestamp');
      const more = { op: 'add', path: `${path}/-`, value: 'example.com/more' } as const;
      expect(await patch(MIGRATION, name, more)).toMatchObject({ ok: false, code: 422, reason: 'Invalid' });
      expect(await patch(MIGRATION, name, { op: 'remove', path })).toEqual({ ok: true, name });
      expect(await read(MIGRATION, name)).toBeUndefined();
      await hear(name, 'came', 'changed', 'gone');
    });

    it('and a creation of the same name are an end and a beginning', async () => {
      const name = await migration();
      await remove(MIGRATION, name);
      await create(MIGRATION, { metadata: { name }, spec: { vmiName: 'other' } });
      await hear(name, 'came', 'gone', 'came');
    });
  });

  describe('an eviction', () => {
    const evict = (pod: string, dryRun = false) =>
      under.cluster.evict({ namespace: NAMESPACE, pod, body: evictionOf(pod), dryRun });

    async function pod(phase?: string, node?: string, app?: string): Promise<string> {
      const labels = { app: app ?? 'free' };
      const spec = { nodeName: node, containers: [{ name: 'c', image: 'x' }] };
      const name = await make('Pod', { metadata: { labels }, spec });
      const conditions = [{ type: 'Ready', status: 'True' }];
      if (phase) expect(await patchStatus('Pod', name, { phase, conditions })).toMatchObject({ ok: true });
      return name;
    }

    /** A budget that wants all of the pods with a label of its own, and the label. */
    async function budget(): Promise<string> {
      const app = newName();
      const spec = { minAvailable: 1, selector: { matchLabels: { app } } };
      const name = await make('PodDisruptionBudget', { spec });
      const status = { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 };
      await patchStatus('PodDisruptionBudget', name, { ...status, observedGeneration: 1 });
      return app;
    }

    it('takes a pod away at once that no kubelet runs', async () => {
      const name = await pod();
      expect(await evict(name)).toEqual({ ok: true, name });
      expect(await read('Pod', name)).toBeUndefined();
    });

    it('gives a running pod its time, and is not needed twice', async () => {
      const name = await pod('Running', 'n1');
      expect(await evict(name)).toEqual({ ok: true, name });
      expect(await read('Pod', name)).toMatchObject({
        metadata: { deletionTimestamp: expect.any(String), deletionGracePeriodSeconds: 30 },
      });
      expect(await evict(name)).toEqual({ ok: true, name });
    });

    it('does nothing on a dry run', async () => {
      const name = await pod();
      expect(await evict(name, true)).toEqual({ ok: true, name });
      expect(await read('Pod', name)).not.toHaveProperty('metadata.deletionTimestamp');
    });

    it('finds no pod', async () => {
      expect(await evict('nobody')).toMatchObject({
        ok: false,
        code: 404,
        reason: 'NotFound',
        message: 'pods "nobody" not found',
      });
    });

    it('must name the pod that it is sent to', async () => {
      const body = evictionOf('other');
      const result = await under.cluster.evict({ namespace: NAMESPACE, pod: await pod(), body });
      expect(result).toMatchObject({
        ok: false,
        code: 400,
        message: 'name in URL does not match name in Eviction object',
      });
    });

    it.each([false, true])('is refused by a budget that has none to spare (dry run: %s)', async (dryRun) => {
      const name = await pod('Running', 'n1', await budget());
      expect(await evict(name, dryRun)).toEqual({
        ok: false,
        code: 429,
        reason: 'TooManyRequests',
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
      });
      expect(await read('Pod', name)).not.toHaveProperty('metadata.deletionTimestamp');
    });

    it.each(['Succeeded', 'Failed', 'Pending'])(
      'is not refused by a budget for a pod in %s',
      async (phase) => {
        const name = await pod(phase, 'n1', await budget());
        expect(await evict(name)).toEqual({ ok: true, name });
      },
    );

    it('fails where two budgets select the pod', async () => {
      const app = await budget();
      await make('PodDisruptionBudget', { spec: { minAvailable: 1, selector: { matchLabels: { app } } } });
      expect(await evict(await pod('Running', 'n1', app))).toMatchObject({
        ok: false,
        code: 500,
        message:
          'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      });
    });
  });

  it('tells the changes of one object in their order, and nobody who has left', async () => {
    const heard: string[] = [];
    const leave = under.cluster.subscribe(({ key }) => void heard.push(key));
    const name = await make(MIGRATION, { spec: { vmiName: '0' } });
    for (let i = 1; i <= 5; i++) {
      await patch(MIGRATION, name, { op: 'replace', path: '/spec/vmiName', value: String(i) });
    }
    await hear(name, 'came', 'changed', 'changed', 'changed', 'changed', 'changed');
    const versions = changes.flatMap(({ key, after }) => (key === keyFor(name) ? [after] : []));
    expect(versions.map((version) => (version as JsonObject).spec)).toEqual(
      [0, 1, 2, 3, 4, 5].map((i) => ({ vmiName: String(i) })),
    );
    leave();
    const before = heard.length;
    const unheard = await migration();
    await hear(unheard, 'came');
    expect(heard).toHaveLength(before);
  });
}

function evictionOf(name: string): object {
  return { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: NAMESPACE } };
}
