import { expect, it } from 'vitest';
import { COMPARED_KINDS, fieldsOf } from './fields.ts';
import { objectOf, stateOf } from './recorded-state.ts';

const CONDITIONS = [{ type: 'Ready', status: 'True', reason: 'r' }];
const METADATA = {
  name: 'x',
  labels: { 'kubevirt.io/nodeName': 'n1' },
  annotations: { 'kubevirt.io/evacuationMigration': 'n1' },
  ownerReferences: [{ kind: 'VirtualMachine', name: 'v' }],
  deletionTimestamp: '2026-03-01T12:00:00Z',
  deletionGracePeriodSeconds: 30,
};
const SPEC = {
  nodeName: 'n1',
  runStrategy: 'Always',
  priority: 'system-critical',
  containers: [{ image: 'L1' }],
};
const STATUS = {
  ...{
    phase: 'Running',
    conditions: CONDITIONS,
    disruptionsAllowed: 1,
    printableStatus: 'Running',
    nodeName: 'n1',
  },
  ...{
    outdatedVirtualMachineInstanceWorkloads: 3,
    activePods: { a: 'n1' },
    migrationState: { targetNode: 'n2' },
  },
};

it.each(COMPARED_KINDS)('of a %s a recording holds all that is compared', (kind) => {
  const object = { kind, metadata: METADATA, spec: SPEC, status: STATUS };
  const back = objectOf(kind, stateOf(kind, object));
  expect(fieldsOf(kind, back)).toEqual(fieldsOf(kind, object));
  expect(back.metadata).toMatchObject({ ownerReferences: [{ kind: 'VirtualMachine', name: 'v' }] });
});

it('of a pod a recording holds the images', () => {
  expect(stateOf('Pod', { metadata: METADATA, spec: SPEC })).toMatchObject({ image: ['L1'], deleting: true });
});
