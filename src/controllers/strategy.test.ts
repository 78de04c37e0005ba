import { describe, expect, it } from 'vitest';
import { aKubeVirt } from '../kubevirt/builders.ts';
import { CONTROLLER_ERRORS, ControllerError } from './errors.ts';
import { ownStrategy, requireSoleUpdater, type StrategySource, settingsUnder } from './strategy.ts';

const OWN: StrategySource = {
  kind: 'own',
  methods: ['Evict'],
  batchEvictionSize: 3,
  batchEvictionIntervalSeconds: 20,
};
const kubevirt = aKubeVirt().methods('LiveMigrate').batches(7, '2m').build();

describe('the settings in force', () => {
  const strategyOf = (source: StrategySource) => {
    const settings = settingsUnder(source, kubevirt);
    const { workloadUpdateMethods, batchEvictionSize, batchEvictionIntervalSeconds } = settings;
    return [workloadUpdateMethods, batchEvictionSize, batchEvictionIntervalSeconds];
  };

  it("are the CR's", () => {
    expect(strategyOf({ kind: 'kubevirt' })).toEqual([['LiveMigrate'], 7, 120]);
  });

  it("have Drover's own strategy in them", () => {
    expect(strategyOf(OWN)).toEqual([['Evict'], 3, 20]);
    expect(settingsUnder(OWN, kubevirt).migrations).toEqual(
      settingsUnder({ kind: 'kubevirt' }, kubevirt).migrations,
    );
  });
});

describe('two updaters', () => {
  it.each([
    ['both have a strategy', ['LiveMigrate']],
    ['the CR has methods that KubeVirt does not know', ['Foo']],
  ])('are refused where %s', (_, methods) => {
    const refuse = () =>
      requireSoleUpdater(
        OWN,
        aKubeVirt()
          .methods(...methods)
          .build(),
      );
    expect(refuse).toThrow(ControllerError);
    expect(refuse).toThrow(
      `spec.workloadUpdateStrategy.workloadUpdateMethods of KubeVirt kubevirt/kubevirt is ${methods}, and Drover has a strategy too`,
    );
  });

  it('are refused where virt-controller goes by the CR as well', () => {
    const methods = aKubeVirt().methods('Evict').build();
    expect(() => requireSoleUpdater({ kind: 'kubevirt' }, methods, true)).toThrow(
      'spec.workloadUpdateStrategy.workloadUpdateMethods of KubeVirt kubevirt/kubevirt is Evict, and the virt-controller that runs goes by it already',
    );
    expect(() => requireSoleUpdater(OWN, methods, true)).toThrow('Drover has a strategy too');
    expect(() => requireSoleUpdater({ kind: 'kubevirt' }, aKubeVirt().build(), true)).not.toThrow();
  });

  it('are refused with a code and a cure', () => {
    const error = new ControllerError('TwoUpdaters', 'x');
    expect([error.name, error.code, error.cure]).toEqual([
      'ControllerError',
      'TwoUpdaters',
      CONTROLLER_ERRORS.TwoUpdaters.cure,
    ]);
  });

  it.each<[string, StrategySource, string[]]>([
    ["Drover goes by the CR's", { kind: 'kubevirt' }, ['LiveMigrate']],
    ["the CR's is empty", OWN, []],
  ])('are not there where %s', (_, source, methods) => {
    expect(() =>
      requireSoleUpdater(
        source,
        aKubeVirt()
          .methods(...methods)
          .build(),
      ),
    ).not.toThrow();
  });

  it('are not there where nothing is known of the CR', () => {
    expect(() => requireSoleUpdater(OWN, aKubeVirt().build())).not.toThrow();
    expect(() => requireSoleUpdater(OWN, undefined)).not.toThrow();
  });
});

describe('an own strategy as written', () => {
  it.each<[string, unknown, object]>([
    [
      'nothing but methods',
      { workloadUpdateMethods: ['LiveMigrate', 'Evict'] },
      { methods: ['LiveMigrate', 'Evict'] },
    ],
    ['nothing at all', {}, { methods: [] }],
    [
      'batches',
      { batchEvictionSize: 0, batchEvictionInterval: '1m30s' },
      { batchEvictionSize: 0, batchEvictionIntervalSeconds: 90 },
    ],
  ])('%s', (_, written, expected) => {
    const byDefault = { kind: 'own', methods: [], batchEvictionSize: 10, batchEvictionIntervalSeconds: 60 };
    expect(ownStrategy(written, 'x')).toEqual({ ...byDefault, ...expected });
  });

  it.each<[unknown, string]>([
    [undefined, 'f: it: '],
    [{ methods: ['Evict'] }, 'f: it: Unrecognized key: "methods"'],
    [{ workloadUpdateMethods: ['Evikt'] }, 'f: workloadUpdateMethods.0: '],
    [{ batchEvictionSize: -1 }, 'f: batchEvictionSize: '],
    [{ batchEvictionInterval: '0s' }, 'f: batchEvictionInterval: it must be a duration above 0, as in 1m'],
    [{ batchEvictionInterval: 'soon', batchEvictionSize: 1.5 }, '; batchEvictionInterval: it must be'],
  ])('refuses %j', (written, message) => {
    expect(() => ownStrategy(written, 'f')).toThrow(message);
    expect(() => ownStrategy(written, 'f')).toThrow(expect.objectContaining({ code: 'StrategyUnreadable' }));
  });
});
