import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VmiSpec } from '../../kubevirt/objects.ts';
import { EDIT_PATHS, editedSpec, isSameValue, parseEdit, specPathOf, valueAt } from './edit.ts';

const KNOWN =
  'cpu.sockets, cpu.cores, cpu.threads, cpu.maxSockets, cpu.model, memory.guest, memory.maxGuest, evictionStrategy, terminationGracePeriodSeconds, nodeSelector, affinity, tolerations';

describe('parseEdit', () => {
  it.each([
    ['cpu.sockets=2', 'cpu.sockets', 2],
    ['cpu.maxSockets=0', 'cpu.maxSockets', 0],
    ['cpu.model=host-model', 'cpu.model', 'host-model'],
    ['memory.guest=4Gi', 'memory.guest', '4Gi'],
    [' memory.guest = 4Gi ', 'memory.guest', '4Gi'],
    ['evictionStrategy=None', 'evictionStrategy', 'None'],
    ['terminationGracePeriodSeconds=180', 'terminationGracePeriodSeconds', 180],
    ['nodeSelector={"a":"b=c"}', 'nodeSelector', { a: 'b=c' }],
    ['tolerations=[{"key":"k"}]', 'tolerations', [{ key: 'k' }]],
    ['affinity={}', 'affinity', {}],
    ['spec.template.spec.domain.cpu.sockets=2', 'cpu.sockets', 2],
    ['domain.memory.guest=1Gi', 'memory.guest', '1Gi'],
    ['spec.template.spec.evictionStrategy=External', 'evictionStrategy', 'External'],
    ['evictionStrategy=', 'evictionStrategy', undefined],
    ['cpu.sockets=', 'cpu.sockets', undefined],
  ])('%s', (setting, path, value) => {
    expect(parseEdit(setting)).toEqual({ path, value });
  });

  it.each([
    ['cpu.sockets', '"cpu.sockets" has no "=": write path=value'],
    ['cpu.sockets=two', '"two" is no integer for cpu.sockets'],
    ['cpu.sockets=-1', '"-1" is no integer for cpu.sockets'],
    ['cpu.sockets=2x', '"2x" is no integer for cpu.sockets'],
    ['cpu.sockets=x2', '"x2" is no integer for cpu.sockets'],
    ['memory.guest=much', '"much" is no quantity for memory.guest'],
    ['evictionStrategy=Livemigrate', '"Livemigrate" is no strategy for evictionStrategy'],
    ['nodeSelector={', '"{" is no json for nodeSelector'],
    ['nodeSelector=[1]', '"[1]" is no json for nodeSelector'],
    ['tolerations={"key":"k"}', '"{"key":"k"}" is no json for tolerations'],
    ['volumes=[]', `cannot judge an edit of "volumes"; known are ${KNOWN}`],
    ['toString=1', `cannot judge an edit of "toString"; known are ${KNOWN}`],
    ['=1', `cannot judge an edit of ""; known are ${KNOWN}`],
    ['x.domain.cpu.sockets=1', `cannot judge an edit of "x.domain.cpu.sockets"; known are ${KNOWN}`],
  ])('%s is refused', (setting, error) => {
    expect(parseEdit(setting)).toEqual({ error });
  });
});

describe('the fields of a spec', () => {
  const spec: VmiSpec = {
    evictionStrategy: 'None',
    domain: { cpu: { sockets: 1, cores: 4 }, memory: { guest: '1Gi' } },
  };

  it.each([
    ['cpu.sockets', 1, 'spec.domain.cpu.sockets'],
    ['cpu.threads', undefined, 'spec.domain.cpu.threads'],
    ['memory.guest', '1Gi', 'spec.domain.memory.guest'],
    ['evictionStrategy', 'None', 'spec.evictionStrategy'],
    ['nodeSelector', undefined, 'spec.nodeSelector'],
  ] as const)('%s is read at its place', (path, value, place) => {
    expect(valueAt(spec, path)).toEqual(value);
    expect(valueAt(undefined, path)).toBeUndefined();
    expect(specPathOf(path)).toBe(place);
  });

  it('are written without touching the rest', () => {
    const before = structuredClone(spec);
    expect(editedSpec(spec, { path: 'cpu.sockets', value: 2 })).toEqual({
      ...spec,
      domain: { ...spec.domain, cpu: { sockets: 2, cores: 4 } },
    });
    expect(editedSpec(spec, { path: 'evictionStrategy', value: undefined }).evictionStrategy).toBeUndefined();
    expect(editedSpec(undefined, { path: 'memory.guest', value: '2Gi' })).toEqual({
      domain: { memory: { guest: '2Gi' } },
    });
    expect(spec).toEqual(before);
  });

  it('throw on a value of the wrong shape', () => {
    expect(() => editedSpec(spec, { path: 'cpu.sockets', value: 'two' })).toThrow();
  });

  it('read what was written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...EDIT_PATHS.filter((path) => path.startsWith('cpu.') && path !== 'cpu.model')),
        fc.nat(),
        (path, value) => {
          expect(valueAt(editedSpec(spec, { path, value }), path)).toBe(value);
        },
      ),
    );
  });
});

describe('isSameValue', () => {
  it.each([
    ['memory.guest', '1Gi', '1024Mi', true],
    ['memory.guest', '1Gi', '1G', false],
    ['memory.guest', undefined, undefined, true],
    ['memory.guest', undefined, '1Gi', false],
    ['cpu.sockets', 1, 1, true],
    ['cpu.sockets', 1, 2, false],
    ['cpu.sockets', undefined, 0, false],
    ['nodeSelector', { a: '1', b: '2' }, { b: '2', a: '1' }, true],
    ['nodeSelector', {}, undefined, true],
    ['tolerations', undefined, [], true],
    ['nodeSelector', { a: '1' }, undefined, false],
    ['evictionStrategy', 'None', undefined, false],
    ['evictionStrategy', null, undefined, true],
  ] as const)('%s: %j and %j', (path, a, b, same) => {
    expect(isSameValue(path, a, b)).toBe(same);
    expect(isSameValue(path, b, a)).toBe(same);
  });
});
