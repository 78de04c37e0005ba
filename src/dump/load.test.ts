import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { bytesOf, rawList, rawNode, rawVmi, vmisOf } from './builders.ts';
import { loadFleet, type Progress } from './load.ts';

const VMIS = [rawVmi('a'), rawVmi('b')];
const json = (value: unknown) => JSON.stringify(value);

describe('loadFleet', () => {
  it.each([
    ['a JSON List', json(rawList(...VMIS))],
    ['a JSON List, indented', JSON.stringify(rawList(...VMIS), null, 4)],
    ['JSON lines', VMIS.map(json).join('\n')],
    ['JSON values without a separator', VMIS.map(json).join('')],
    ['indented JSON values', VMIS.map((vmi) => JSON.stringify(vmi, null, 2)).join('\n')],
    ['a bare JSON list', json(VMIS)],
    ['a JSON List without its kind', json({ items: VMIS })],
    [
      'a typed list, kind first',
      json({ kind: 'VirtualMachineInstanceList', apiVersion: 'kubevirt.io/v1', items: untyped() }),
    ],
    [
      'a typed list, kind last',
      json({ items: untyped(), apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstanceList' }),
    ],
    ['an object of lists', json({ now: 'x', virtualMachineInstances: VMIS })],
    ['a List of Lists', json(rawList(rawList(VMIS[0]), rawList(VMIS[1])))],
    ['a YAML List', dump(rawList(...VMIS), { seqNoIndent: true })],
    ['a YAML List with deeper items', dump(rawList(...VMIS))],
    ['a YAML List in flow style', dump(rawList(...VMIS), { flowLevel: 0 })],
    [
      'a typed YAML list',
      dump({ apiVersion: 'kubevirt.io/v1', items: untyped(), kind: 'VirtualMachineInstanceList' }),
    ],
    ['YAML documents', VMIS.map((vmi) => dump(vmi)).join('---\n')],
    ['a YAML sequence', dump(VMIS)],
    ['a YAML object of lists', dump({ virtualMachineInstances: VMIS })],
    ['JSON behind a byte order mark', `\ufeff${json(rawList(...VMIS))}`],
    ['YAML behind a byte order mark', `\ufeff${dump(rawList(...VMIS))}`],
    ['JSON behind what npm run prints', `\n> drover@1 fleet\n> tsx x.ts\n\n${json(rawList(...VMIS))}`],
  ])('reads %s', async (_what, text) => {
    for (const content of [Buffer.from(text), gzipSync(text)]) {
      const { fleet, objects } = await loadFleet([bytesOf('dump', content, 7)]);
      expect(vmisOf(fleet)).toEqual(['a', 'b']);
      expect(objects).toBe(2);
      expect(fleet.get('VirtualMachineInstance', 'shop/a')).toEqual({
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstance',
        metadata: { name: 'a', namespace: 'shop' },
      });
    }
  });

  it('puts manifests that name no namespace where kubectl would, so that they can be asked for', async () => {
    const [nowhere, node] = [rawVmi('a'), rawNode('n1')];
    const { fleet, notes } = await loadFleet([
      bytesOf('dump', json(rawList({ ...nowhere, metadata: { name: 'a' } }, rawVmi('b'), node))),
    ]);
    expect(fleet.get('VirtualMachineInstance', 'default/a')?.metadata.namespace).toBe('default');
    expect(fleet.get('Node', 'n1')?.metadata).not.toHaveProperty('namespace');
    expect(notes).toEqual(['1 object without a namespace: taken to be in default.']);
  });

  it('knows the kinds that were listed, empty lists included', async () => {
    const empty = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstanceMigrationList', items: [] };
    const { fleet } = await loadFleet([
      bytesOf('a', json(empty)),
      bytesOf('b', json({ pods: [], nodes: [rawNode('n')] })),
    ]);
    const known = ['VirtualMachineInstanceMigration', 'Pod', 'Node'] as const;
    expect(known.map((kind) => fleet.isKnown(kind))).toEqual([true, true, true]);
    expect(fleet.isKnown('VirtualMachineInstance')).toBe(false);
    expect(
      (await loadFleet([bytesOf('c', dump(empty))])).fleet.isKnown('VirtualMachineInstanceMigration'),
    ).toBe(true);
  });

  it('counts kinds that it does not read, by group; a known kind of another group is one of them', async () => {
    const { ignoredKinds, objects, fleet } = await loadFleet([
      bytesOf(
        'dump',
        [
          { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } },
          { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'y' }, data: 7 },
          { apiVersion: 'machine.openshift.io/v1beta1', kind: 'Machine' },
          { apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'Machine', metadata: { name: 'm' } },
          {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'Role',
            rules: [{ kind: 'Node', apiVersion: 'v1' }],
          },
          { rules: [{ verbs: [] }], apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role' },
        ]
          .map(json)
          .join('\n'),
      ),
    ]);
    expect([...ignoredKinds]).toEqual([
      ['ConfigMap', 2],
      ['Machine.machine.openshift.io', 1],
      ['Role.rbac.authorization.k8s.io', 2],
    ]);
    expect(objects).toBe(6);
    expect([fleet.count('Machine'), fleet.count('Node')]).toEqual([1, 0]);
  });

  it('takes v1 and v1alpha3 for one', async () => {
    const old = { ...rawVmi('a'), apiVersion: 'kubevirt.io/v1alpha3' };
    const { fleet, notes } = await loadFleet([bytesOf('dump', json([old, rawVmi('a'), rawVmi('b')]))]);
    expect(vmisOf(fleet)).toEqual(['a', 'b']);
    expect(notes).toEqual(['1 object stood there more than once, each time the same.']);
  });

  it('keeps the hints of a fleet', async () => {
    const { hints } = await loadFleet([
      bytesOf('dump', json({ now: '2026-03-01T12:00:00Z', launcherImage: 'l:1', other: 'x', nodes: [] })),
    ]);
    expect(hints).toEqual({ now: '2026-03-01T12:00:00Z', launcherImage: 'l:1' });
  });

  it('drops managed fields and unread annotations', async () => {
    const metadata = {
      name: 'a',
      namespace: 'shop',
      managedFields: [{ manager: 'virt-controller' }],
      annotations: { 'kubevirt.io/x': '1', 'velero.io/y': '2' },
    };
    const { fleet } = await loadFleet([bytesOf('dump', json(rawVmi('a', { metadata })))]);
    expect(fleet.get('VirtualMachineInstance', 'shop/a')?.metadata).toEqual({
      name: 'a',
      namespace: 'shop',
      annotations: { 'kubevirt.io/x': '1' },
    });
  });

  it('says how far it is', async () => {
    const seen: Progress[] = [];
    const text = `${json(rawVmi('a'))}\n${json(rawVmi('b'))}\n`;
    await loadFleet([bytesOf('dump', text, text.length / 2)], {
      progress: (progress) => seen.push(progress),
    });
    expect(seen).toEqual([
      { file: 'dump', bytes: text.length / 2, objects: 1 },
      { file: 'dump', bytes: text.length, objects: 2 },
    ]);
  });

  it('lets go of a source that it refuses', async () => {
    let closed = false;
    async function* zip(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.alloc(5000, 'PK\u0003\u0004');
        yield Buffer.alloc(5000);
      } finally {
        closed = true;
      }
    }
    await expect(loadFleet([{ name: 'x', bytes: zip() }])).rejects.toThrow('x: is a zip archive, not text');
    expect(closed).toBe(true);
  });

  it('says that there was nothing to read', async () => {
    expect((await loadFleet([bytesOf('dump', '[]')])).notes).toEqual([
      'The input holds no Kubernetes object.',
    ]);
  });

  it('understands aliases of YAML within an item, across items, and of the head', async () => {
    const text = [
      'metadata: &meta {name: h}',
      'items:',
      '- apiVersion: &v kubevirt.io/v1',
      '  kind: &k VirtualMachineInstance',
      '  metadata: {name: &n a, namespace: shop, labels: {x: *n}}',
      '- {apiVersion: *v, kind: *k, metadata: *meta}',
      'kind: List',
    ].join('\n');
    const { fleet } = await loadFleet([bytesOf('dump', text)]);
    expect(vmisOf(fleet)).toEqual(['a', 'h']);
    expect(fleet.get('VirtualMachineInstance', 'shop/a')?.metadata.labels).toEqual({ x: 'a' });
  });

  it('leaves timestamps of YAML as texts and does not merge', async () => {
    const text =
      'apiVersion: v1\nkind: Node\nmetadata:\n  name: n\n  creationTimestamp: 2026-03-01T12:00:00Z\n  <<: {uid: u}\n';
    const { fleet } = await loadFleet([bytesOf('dump', text)]);
    expect(fleet.get('Node', 'n')?.metadata).toEqual({
      name: 'n',
      creationTimestamp: '2026-03-01T12:00:00Z',
    });
  });

  it('keeps a label that is called constructor', async () => {
    const metadata = { name: 'n', labels: { constructor: 'acme' } };
    const { fleet } = await loadFleet([bytesOf('dump', json(rawNode('n', { metadata })))]);
    expect(Object.entries(fleet.get('Node', 'n')?.metadata.labels ?? {})).toEqual([['constructor', 'acme']]);
  });

  it.each(readdirSync('testdata/histories'))('reads the recorded cluster %s', async (name) => {
    const { fleet, ignoredKinds } = await loadFleet([join('testdata/histories', name, 'before.json.gz')]);
    expect(fleet.kubevirt()).toBeDefined();
    expect(fleet.count('Node')).toBe(4);
    expect(fleet.count('VirtualMachineInstance')).toBeGreaterThan(0);
    expect([...ignoredKinds]).toEqual([]);
  });

  it('reads the sample fleet', async () => {
    const { fleet, hints, objects } = await loadFleet(['testdata/fleet-200.json.gz']);
    const kinds = [
      'VirtualMachine',
      'VirtualMachineInstance',
      'Pod',
      'Node',
      'VirtualMachineInstanceMigration',
    ] as const;
    expect(kinds.map((kind) => fleet.count(kind))).toEqual([210, 200, 199, 8, 19]);
    expect(hints.now).toBe('2026-03-01T12:00:00Z');
    expect(objects).toBe(637);
  });
});

/** The items of a typed list as the API server writes them: without apiVersion and kind. */
function untyped(): object[] {
  return VMIS.map(({ metadata }) => ({ metadata }));
}
