import { describe, expect, it } from 'vitest';
import { aVm } from '../../kubevirt/builders.ts';
import { resolveSettings } from '../settings.ts';
import { resolveRunStrategy, runStrategyFields, runStrategyRefusal } from './resolve.ts';

const neither = aVm().runStrategy().build();
const both = aVm().spec({ runStrategy: 'Manual', running: false }).build();
const evidence = (path: string, value: unknown) => ({ object: 'VirtualMachine shop/db', path, value });

describe('resolveRunStrategy', () => {
  it.each([
    ['Manual', aVm().runStrategy('Manual').build(), 'Manual'],
    ['an unknown one', aVm().runStrategy('Bogus').build(), 'Bogus'],
    ['running: true', aVm().running(true).build(), 'Always'],
    ['running: false', aVm().running(false).build(), 'Halted'],
    ['neither', neither, 'Halted'],
    ['no spec at all', { metadata: { name: 'db' } }, 'Halted'],
  ])('%s means %s', (_, vm, strategy) => {
    expect(resolveRunStrategy(vm)).toEqual({ strategy });
  });

  it('both are an error', () => {
    expect(resolveRunStrategy(both)).toEqual({
      strategy: '',
      error: 'running and runstrategy are mutually exclusive',
    });
  });
});

describe('runStrategyRefusal', () => {
  it.each([
    [
      'both',
      both,
      'Running and RunStrategy are mutually exclusive. Note that Running is deprecated, please use RunStrategy instead',
    ],
    ['neither', neither, 'RunStrategy must be specified'],
    ['no spec at all', { metadata: { name: 'db' } }, 'RunStrategy must be specified'],
    ['a run strategy', aVm().build(), undefined],
    ['running', aVm().running(false).build(), undefined],
    ['a misspelt one', aVm().runStrategy('always').build(), 'Invalid RunStrategy (always)'],
    ['an empty one', aVm().runStrategy('').build(), 'Invalid RunStrategy ()'],
    [
      'a receiver without the gate',
      aVm().runStrategy('WaitAsReceiver').build(),
      'Invalid RunStrategy (WaitAsReceiver), DecentralizedLiveMigration feature gate is not enabled in kubevirt resource',
    ],
  ])('%s: %s', (_, vm, refusal) => {
    expect(runStrategyRefusal(vm, resolveSettings(undefined))?.message).toBe(refusal);
  });
});

it('a receiver is taken where the gate is on', () => {
  const settings = { featureGates: ['DecentralizedLiveMigration'], disabledFeatureGates: [] };
  expect(runStrategyRefusal(aVm().runStrategy('WaitAsReceiver').build(), settings)).toBeUndefined();
});

describe('runStrategyFields', () => {
  it.each([
    ['the run strategy', aVm().build(), [evidence('spec.runStrategy', 'Always')]],
    ['running', aVm().running(true).build(), [evidence('spec.running', true)]],
    ['the absence of both', neither, [evidence('spec.runStrategy', undefined)]],
    ['both', both, [evidence('spec.runStrategy', 'Manual'), evidence('spec.running', false)]],
  ])('names %s', (_, vm, fields) => {
    expect(runStrategyFields(vm)).toEqual(fields);
  });

  it('finds nothing in a VM without spec', () => {
    expect(runStrategyFields({ metadata: { name: 'db', namespace: 'shop' } })).toEqual([
      evidence('spec.runStrategy', undefined),
    ]);
  });
});
