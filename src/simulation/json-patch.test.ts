import { describe, expect, it } from 'vitest';
import type { JsonPatchOperation } from '../controllers/ports.ts';
import { applyJsonPatch, PatchError } from './json-patch.ts';

const POD = {
  metadata: { name: 'a', labels: { 'kubevirt.io/nodeName': 'n1', 'a~b': 'c' } },
  spec: { taints: [{ key: 'x' }, { key: 'y' }] },
};

const add = (path: string, value: unknown): JsonPatchOperation => ({ op: 'add', path, value });
const replace = (path: string, value: unknown): JsonPatchOperation => ({ op: 'replace', path, value });
const remove = (path: string): JsonPatchOperation => ({ op: 'remove', path });
const test = (path: string, value?: unknown): JsonPatchOperation => ({ op: 'test', path, value });

describe('applyJsonPatch', () => {
  it.each<[string, JsonPatchOperation, object]>([
    ['adds a field', add('/status', { phase: 'Running' }), { ...POD, status: { phase: 'Running' } }],
    ['adds over a field', add('/metadata', {}), { ...POD, metadata: {} }],
    ['puts before an element', add('/spec/taints/1', 0), withTaints([{ key: 'x' }, 0, { key: 'y' }])],
    ['puts at the end', add('/spec/taints/-', 0), withTaints([{ key: 'x' }, { key: 'y' }, 0])],
    ['puts behind the last', add('/spec/taints/2', 0), withTaints([{ key: 'x' }, { key: 'y' }, 0])],
    [
      'replaces a field',
      replace('/metadata/name', 'b'),
      { ...POD, metadata: { ...POD.metadata, name: 'b' } },
    ],
    ['replaces an element', replace('/spec/taints/0', 0), withTaints([0, { key: 'y' }])],
    [
      'replaces within an element',
      replace('/spec/taints/0/key', 'z'),
      withTaints([{ key: 'z' }, { key: 'y' }]),
    ],
    ['adds a field that it is to replace', replace('/status', 1), { ...POD, status: 1 }],
    ['removes a field', remove('/spec'), { metadata: POD.metadata }],
    ['removes an element', remove('/spec/taints/0'), withTaints([{ key: 'y' }])],
    [
      'reads ~1 as a slash',
      replace('/metadata/labels/kubevirt.io~1nodeName', 'n2'),
      { ...POD, metadata: { name: 'a', labels: { 'kubevirt.io/nodeName': 'n2', 'a~b': 'c' } } },
    ],
    [
      'reads ~0 as a tilde',
      remove('/metadata/labels/a~0b'),
      { ...POD, metadata: { name: 'a', labels: { 'kubevirt.io/nodeName': 'n1' } } },
    ],
    ['tests a value', test('/metadata/name', 'a'), POD],
    ['tests whole objects', test('/spec/taints', [{ key: 'x' }, { key: 'y' }]), POD],
    ['tests for absence', test('/status', null), POD],
    ['tests for absence without a value', test('/status'), POD],
  ])('%s', (_, operation, expected) => {
    expect(applyJsonPatch(POD, [operation])).toEqual(expected);
  });

  it.each<[string, JsonPatchOperation, string]>([
    ['a test that does not hold', test('/metadata/name', 'b'), '/metadata/name is not as tested'],
    ['a test of an absent field', test('/status', 'b'), '/status is not as tested'],
    ['replacing an absent element', replace('/spec/taints/2', 1), 'nothing at /spec/taints/2'],
    ['removing what is absent', remove('/metadata/uid'), 'nothing at /metadata/uid'],
    ['removing an absent element', remove('/spec/taints/2'), 'nothing at /spec/taints/2'],
    ['adding below what is absent', add('/status/phase', 1), 'nothing at /status/phase'],
    ['going below a text', add('/metadata/name/x', 1), 'nothing at /metadata/name/x'],
    ['adding far behind the end', add('/spec/taints/5', 1), 'no place at /spec/taints/5'],
    ['adding at no index', add('/spec/taints/x', 1), 'no place at /spec/taints/x'],
    ['the whole object', replace('', {}), 'replace of the whole object'],
    ['a path without a slash', replace('spec', {}), 'no path: spec'],
    ['what an object only inherits', remove('/toString'), 'nothing at /toString'],
  ])('refuses %s', (_, operation, message) => {
    expect(() => applyJsonPatch(POD, [operation])).toThrow(new PatchError(message));
  });

  it('carries out all or nothing, in order, and leaves the object alone', () => {
    const before = structuredClone(POD);
    const patched = applyJsonPatch(POD, [
      add('/status', {}),
      add('/status/phase', 'Failed'),
      test('/status/phase', 'Failed'),
    ]);
    expect(patched).toEqual({ ...POD, status: { phase: 'Failed' } });
    expect(() => applyJsonPatch(POD, [remove('/spec'), test('/spec', 1)])).toThrow(PatchError);
    expect(POD).toEqual(before);
  });

  it('gives back the very object when nothing changes', () => {
    expect(applyJsonPatch(POD, [test('/spec/taints/0/key', 'x')])).toBe(POD);
  });
});

function withTaints(taints: readonly unknown[]): object {
  return { ...POD, spec: { taints } };
}
