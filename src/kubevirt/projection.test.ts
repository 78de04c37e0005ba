import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { KINDS, type KnownKind, knownKind } from './kinds.ts';
import { Pool } from './pool.ts';
import { createProjection, isReadAnnotation, ProjectionError, project } from './projection.ts';
import { withoutNulls } from './projection-error.ts';

type Raw = Record<string, unknown>;
const vmi = (more: Raw) => ({ kind: 'VirtualMachineInstance', metadata: { name: 'a' }, ...more });

/** Every object of the recorded clusters and of the sample fleet. */
function recorded(): Raw[] {
  const histories = readdirSync('testdata/histories').map(
    (name) => `testdata/histories/${name}/before.json.gz`,
  );
  return ['testdata/fleet-200.json.gz', ...histories].flatMap((file) => {
    const top = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Raw;
    return Object.values(top).filter(Array.isArray).flat() as Raw[];
  });
}

describe('the projection', () => {
  it('keeps of every recorded object just what its schema names', () => {
    const everything = createProjection({ keepAnnotation: () => true, histories: true });
    const sharing = createProjection({ keepAnnotation: () => true, histories: true, pool: new Pool() });
    for (const raw of recorded()) {
      const kind = knownKind(String(raw.apiVersion), String(raw.kind)) as KnownKind;
      const parsed = KINDS[kind].schema.parse(withoutNulls(raw));
      expect(everything(kind, raw)).toEqual(parsed);
      expect(sharing(kind, raw)).toEqual(parsed);
    }
  });

  it('drops what no schema names, and nulls at every depth', () => {
    const raw = vmi({
      spec: {
        domain: { memory: { guest: null }, firmware: { uuid: 'u' } },
        nodeSelector: { a: 'n1', b: null },
        volumes: null,
      },
      status: {
        conditions: [{ type: 'Ready', status: 'True', reason: null }],
      },
    });
    expect(project('VirtualMachineInstance', raw)).toEqual({
      kind: 'VirtualMachineInstance',
      metadata: { name: 'a' },
      spec: { domain: { memory: {} }, nodeSelector: { a: 'n1' } },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
    expect(raw.metadata).toEqual({ name: 'a' });
  });

  it('gives plain objects', () => {
    const { metadata } = project('Node', { metadata: { name: 'n' } });
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
  });

  it('keeps the annotations that are read, also in a template', () => {
    const annotations = {
      'kubevirt.io/domain': 'a',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
    };
    const raw = { metadata: { name: 'a', annotations }, spec: { template: { metadata: { annotations } } } };
    expect(project('VirtualMachine', raw)).toEqual({
      metadata: { name: 'a', annotations: { 'kubevirt.io/domain': 'a' } },
      spec: { template: { metadata: { annotations: { 'kubevirt.io/domain': 'a' } } } },
    });
    const keepAll = createProjection({ keepAnnotation: () => true });
    expect(keepAll('VirtualMachine', raw)).toEqual(raw);
  });

  it.each([
    ['kubevirt.io/anything', true],
    ['drover.dev/opt-out', true],
    ['descheduler.alpha.kubernetes.io/evict', true],
    ['cluster-autoscaler.kubernetes.io/safe-to-evict', true],
    ['capk.cluster.x-k8s.io/node-cordoned', true],
    ['cluster.x-k8s.io/paused', true],
    ['kubernetes.io/config.mirror', true],
    ['requested-by', true],
    ['vm.kubevirt.io/os', false],
    ['velero.io/x', false],
    ['kubernetes.io/x', false],
  ])('annotation %s: %s', (name, read) => {
    expect(isReadAnnotation(name)).toBe(read);
  });

  const condition = { type: 'Ready', status: 'True', lastTransitionTime: '2026-03-01T12:00:00Z' };
  it.each([
    ['VirtualMachineInstance', false],
    ['VirtualMachine', false],
    ['VirtualMachineInstanceMigration', false],
    ['Pod', false],
    ['Node', true],
    ['Machine', true],
    ['KubeVirt', true],
  ] as const)('the transition times of a %s stay: %s', (kind, stay) => {
    const raw = { metadata: { name: 'a' }, status: { conditions: [condition] } };
    const kept = (read: unknown) => (read as typeof raw).status.conditions[0];
    expect(kept(project(kind, raw))).toEqual(stay ? condition : { type: 'Ready', status: 'True' });
    expect(kept(createProjection({ histories: true })(kind, raw))).toEqual(condition);
  });

  it('keeps when a VMI was Running, and of a migration every phase', () => {
    const phaseTransitionTimestamps = ['Pending', 'Running'].map((phase) => ({
      phase,
      phaseTransitionTimestamp: 't',
    }));
    const raw = { metadata: { name: 'a' }, status: { phaseTransitionTimestamps } };
    const [pending, running] = phaseTransitionTimestamps;
    expect(project('VirtualMachineInstance', raw).status?.phaseTransitionTimestamps).toEqual([running]);
    expect(project('VirtualMachineInstanceMigration', raw)).toEqual(raw);
    const whole = createProjection({ histories: true })('VirtualMachineInstance', raw);
    expect(whole.status?.phaseTransitionTimestamps).toEqual([pending, running]);
  });

  it('leaves out which pods of a VMI are active, unless for a replay', () => {
    const raw = { metadata: { name: 'a' }, status: { activePods: { uid: 'n1' } } };
    expect(project('VirtualMachineInstance', raw)).toEqual({ metadata: { name: 'a' }, status: {} });
    expect(createProjection({ histories: true })('VirtualMachineInstance', raw)).toEqual(raw);
  });

  it('leaves out a key that would set a prototype', () => {
    const raw = JSON.parse('{"metadata":{"name":"a","labels":{"__proto__":"x","constructor":"y"}}}');
    expect(Object.entries(project('Node', raw).metadata.labels ?? {})).toEqual([['constructor', 'y']]);
  });

  it.each([
    [
      'a wrong type',
      { status: { conditions: [{}, { type: 'A', status: 7 }] } },
      [
        { path: 'status.conditions[0].type', problem: 'expected string, but it is missing' },
        { path: 'status.conditions[0].status', problem: 'expected string, but it is missing' },
        { path: 'status.conditions[1].status', problem: 'expected string, received number' },
      ],
    ],
    ['no object', { spec: 'REDACTED' }, [{ path: 'spec', problem: 'expected object, received string' }]],
    ['a list for an object', { spec: [] }, [{ path: 'spec', problem: 'expected object, received array' }]],
    [
      'an object for a list',
      { spec: { volumes: {} } },
      [{ path: 'spec.volumes', problem: 'expected array, received object' }],
    ],
    [
      'null in a list',
      { metadata: { name: 'a', finalizers: [null] } },
      [{ path: 'metadata.finalizers[0]', problem: 'expected string, but it is missing' }],
    ],
    [
      'a map',
      { metadata: { name: 'a', labels: { 'a/b': 1 } } },
      [{ path: 'metadata.labels["a/b"]', problem: 'expected string, received number' }],
    ],
    [
      'no map',
      { metadata: { name: 'a', labels: 'x' } },
      [{ path: 'metadata.labels', problem: 'expected object, received string' }],
    ],
    [
      'a flag',
      { status: { migrationState: { completed: 'yes' } } },
      [{ path: 'status.migrationState.completed', problem: 'expected boolean, received string' }],
    ],
    [
      'infinity',
      { metadata: { name: 'a', generation: Number.POSITIVE_INFINITY } },
      [{ path: 'metadata.generation', problem: 'expected number, received Infinity' }],
    ],
    [
      'either of two types',
      { spec: { domain: { memory: { guest: true } } } },
      [{ path: 'spec.domain.memory.guest', problem: 'expected string or number, received boolean' }],
    ],
    [
      'no metadata',
      { metadata: null },
      [{ path: 'metadata', problem: 'expected object, but it is missing' }],
    ],
  ])('names every wrong field: %s', (_what, more, problems) => {
    expect(problemsIn(vmi(more))).toEqual(problems);
  });

  it('names the object itself', () => {
    expect(problemsIn('text')).toEqual([{ path: '', problem: 'expected object, received string' }]);
    expect(() => project('Node', 1)).toThrow(/^expected object, received number$/);
    expect(() => project('Node', { metadata: {} })).toThrow(
      /^metadata\.name: expected string, but it is missing$/,
    );
  });
});

describe('sharing', () => {
  const raw = () =>
    vmi({
      spec: { domain: { cpu: { cores: 1 } }, volumes: [{ name: 'x'.repeat(20) }] },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });

  it('gives equal parts once and frozen, and leaves the others alone', () => {
    const sharing = createProjection({ pool: new Pool() });
    const [a, b] = [sharing('VirtualMachineInstance', raw()), sharing('VirtualMachineInstance', raw())];
    expect(a.spec?.domain).toBe(b.spec?.domain);
    expect(a.status?.conditions).toBe(b.status?.conditions);
    expect(Object.isFrozen(a.spec?.domain?.cpu)).toBe(true);
    expect(a.spec?.volumes).not.toBe(b.spec?.volumes);
    expect(Object.isFrozen(a.spec?.volumes)).toBe(false);
  });

  it('is off without a pool', () => {
    const [a, b] = [project('VirtualMachineInstance', raw()), project('VirtualMachineInstance', raw())];
    expect(a.spec?.domain).not.toBe(b.spec?.domain);
    expect(Object.isFrozen(a.spec?.domain)).toBe(false);
  });
});

function problemsIn(raw: unknown): unknown {
  try {
    return project('VirtualMachineInstance', raw);
  } catch (error) {
    if (error instanceof ProjectionError) return error.problems;
    throw error;
  }
}
