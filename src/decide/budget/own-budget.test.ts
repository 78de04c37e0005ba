import { describe, expect, it } from 'vitest';
import { aBudget, aPod, aVmi } from '../../kubevirt/builders.ts';
import { versionRules } from '../versions.ts';
import { selectsPod } from './controller.ts';
import { isOwnBudget, withOwnBudget } from './own-budget.ts';

const settingsOf = (minor: number) => ({
  evictionStrategy: 'None',
  rules: versionRules({ major: 1, minor }),
});
const OLD = settingsOf(5);
const VMI = aVmi().strategy('LiveMigrate').build();
const USERS = aBudget().build();
const own = (vmi = VMI, name = 'kubevirt-disruption-budget-x') =>
  aBudget(name)
    .meta({
      ownerReferences: [{ kind: 'VirtualMachineInstance', name: vmi.metadata.name, controller: true }],
    })
    .build();

describe('isOwnBudget', () => {
  it.each([
    ['owned by a VMI', own(), true],
    ['of a user', USERS, false],
    [
      'owned by a chart',
      aBudget()
        .meta({ ownerReferences: [{ kind: 'Deployment', name: 'x', controller: true }] })
        .build(),
      false,
    ],
    [
      'of which a VMI is no controller',
      aBudget()
        .meta({ ownerReferences: [{ kind: 'VirtualMachineInstance', name: 'db' }] })
        .build(),
      false,
    ],
  ])('%s', (_name, budget, expected) => {
    expect(isOwnBudget(budget)).toBe(expected);
  });
});

describe('withOwnBudget', () => {
  it('adds the one that KubeVirt 1.5 makes', () => {
    const budgets = withOwnBudget([USERS], { vmi: VMI, settings: OLD, isMigrating: false });
    expect(budgets).toEqual([
      USERS,
      {
        kind: 'PodDisruptionBudget',
        metadata: {
          name: 'kubevirt-disruption-budget-db',
          namespace: 'shop',
          ownerReferences: [{ kind: 'VirtualMachineInstance', name: 'db', uid: 'uid-db', controller: true }],
        },
        spec: { minAvailable: 1, selector: { matchLabels: { 'kubevirt.io/created-by': 'uid-db' } } },
      },
    ]);
    expect(budgets.map(isOwnBudget)).toEqual([false, true]);
    expect(budgets.some((budget) => selectsPod(budget, aPod().launcherOf(VMI).build()))).toBe(true);
  });

  it('wants both launchers while the VMI migrates', () => {
    const [budget] = withOwnBudget([], { vmi: VMI, settings: OLD, isMigrating: true });
    expect(budget?.spec?.minAvailable).toBe(2);
  });

  it('selects by an empty UID where the VMI has none', () => {
    const vmi = { ...VMI, metadata: { name: 'db', namespace: 'shop' } };
    const [budget] = withOwnBudget([], { vmi, settings: OLD, isMigrating: false });
    expect(budget?.spec?.selector).toEqual({ matchLabels: { 'kubevirt.io/created-by': '' } });
  });

  it.each([
    ['from 1.6 on', { vmi: VMI, settings: settingsOf(6), isMigrating: false }],
    [
      'a VMI that is not migrated on eviction',
      { vmi: aVmi().strategy('None').build(), settings: OLD, isMigrating: false },
    ],
    [
      'one that cannot be',
      { vmi: aVmi().strategy('LiveMigrateIfPossible').build(), settings: OLD, isMigrating: false },
    ],
  ])('adds none: %s', (_name, input) => {
    expect(withOwnBudget([USERS], input)).toEqual([USERS]);
  });

  it('adds none where it is there already', () => {
    const input = { vmi: VMI, settings: OLD, isMigrating: false };
    expect(withOwnBudget([own()], input)).toEqual([own()]);
    expect(withOwnBudget([own(aVmi('web').build())], input)).toHaveLength(2);
    expect(
      withOwnBudget([{ ...own(), metadata: { ...own().metadata, namespace: 'tenant' } }], input),
    ).toHaveLength(2);
    const charts = aBudget()
      .meta({ ownerReferences: [{ kind: 'Deployment', name: 'db', controller: true }] })
      .build();
    expect(withOwnBudget([charts], input)).toHaveLength(2);
  });
});
