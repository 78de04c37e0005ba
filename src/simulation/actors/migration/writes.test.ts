import { describe, expect, it } from 'vitest';
import { aMigration, aPod, aVmi } from '../../../kubevirt/builders.ts';
import type { MigrationState, Vmi } from '../../../kubevirt/objects.ts';
import { handedOff, withAccount, withStatus, withTargetReady, withUserOf, withVmiLabel } from './writes.ts';

const NON_ROOT = 'kubevirt.io/nonroot';

describe('writes to a migration', () => {
  it('give it the label of its VMI where it has none', () => {
    const bare = aMigration()
      .meta({ labels: { mine: 'x' } })
      .build();
    expect(withVmiLabel(bare)?.metadata.labels).toEqual({ mine: 'x', 'kubevirt.io/vmi-name': 'db' });
    expect(withVmiLabel({ metadata: { name: 'm' } })?.metadata.labels).toEqual({
      'kubevirt.io/vmi-name': '',
    });
    expect(withVmiLabel(aMigration().build())).toBeUndefined();
  });

  it('change what is new in the status', () => {
    const held = aMigration().phase('Pending').condition('x').build();
    expect(withStatus({ phase: 'Scheduling' })(held)).toEqual({
      ...held,
      status: { ...held.status, phase: 'Scheduling' },
    });
  });
});

describe('writes to a VMI', () => {
  const prepared = aVmi().annotated(NON_ROOT, 'true').status({ runtimeUser: 107 }).build();

  it('set user and mark, and leave the rest', () => {
    const held = aVmi().annotated('mine', 'x').marked('n1').build();
    expect(withUserOf(prepared)(held)).toEqual({
      ...held,
      metadata: { ...held.metadata, annotations: { mine: 'x', [NON_ROOT]: 'true' } },
      status: { ...held.status, runtimeUser: 107 },
    });
  });

  it('take the mark away', () => {
    const root = aVmi().status({ runtimeUser: 0 }).build();
    const changed = withUserOf(root)(prepared);
    expect(changed?.metadata.annotations).toEqual({});
    expect(changed?.status?.runtimeUser).toBe(0);
  });

  it('do not touch another VMI of the same name', () => {
    const other = aVmi().meta({ uid: 'other' }).build();
    expect(withUserOf(prepared)(other)).toBeUndefined();
    const handing = { migrationState: {}, labels: {}, event: {} as never };
    expect(handedOff(prepared, handing)(other)).toBeUndefined();
  });

  it('hand it off: a new account, labels besides its own, and the user', () => {
    const held = aVmi().on('n1').migrationState({ migrationUid: 'old', failed: true }).marked().build();
    const migrationState = { migrationUid: 'new' };
    const handing = { migrationState, labels: { target: 'n2' }, event: {} as never };
    const labels = { ...held.metadata.labels, target: 'n2' };
    expect(handedOff(prepared, handing)(held)).toEqual({
      ...held,
      metadata: { ...held.metadata, labels, annotations: { [NON_ROOT]: 'true' } },
      status: { ...held.status, runtimeUser: 107, migrationState },
    });
  });

  const account = (state: MigrationState): Vmi => aVmi().migrationState(state).build();
  const seen = { migrationUid: 'm', targetNode: 'n2' };
  const next = { ...seen, abortRequested: true };

  it('add to the account of a migration, whatever the nodes have written meanwhile', () => {
    const held = account({ ...seen, targetNode: 'n3', startTimestamp: 'now' });
    expect(withAccount(seen, next)(held)?.status?.migrationState).toEqual({
      migrationUid: 'm',
      targetNode: 'n3',
      startTimestamp: 'now',
      abortRequested: true,
    });
    expect(withAccount(undefined, next)(held)?.status?.migrationState?.targetNode).toBe('n2');
  });

  it.each([
    ['another migration', { migrationUid: 'other' }],
    ['a migration that is over', { migrationUid: 'm', completed: true }],
  ])('leave the account of %s', (_, state) => {
    expect(withAccount(seen, next)(account(state))).toBeUndefined();
  });

  it('make no account where there is none', () => {
    expect(withAccount(seen, next)(aVmi().build())).toBeUndefined();
  });
});

it('notes on the target pod when the guest was ready there', () => {
  const held = aPod().annotated('mine', 'x').build();
  expect(withTargetReady('then')(held)).toEqual({
    ...held,
    metadata: {
      ...held.metadata,
      annotations: { mine: 'x', 'kubevirt.io/migration-target-ready-timestamp': 'then' },
    },
  });
});
