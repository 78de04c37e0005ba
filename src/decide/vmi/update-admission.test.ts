import { describe, expect, it } from 'vitest';
import { aKubeVirt, aVmi } from '../../kubevirt/builders.ts';
import { type Requester, requesterOf } from '../../kubevirt/requester.ts';
import { decide } from '../rules.ts';
import { resolveSettings } from '../settings.ts';
import { vmiUpdateTable } from './update-admission.ts';

const before = aVmi('db').on('n1').build();
const settings = resolveSettings(aKubeVirt().build());
const handlerOn = (nodeName?: string): Requester => ({ account: 'kubevirt-handler', nodeName });
const labelled = (name: string) => ({
  ...before,
  metadata: { ...before.metadata, labels: { ...before.metadata.labels, [name]: 'x' } },
});
const moving = (targetNode: string) => ({
  ...before,
  status: { ...before.status, migrationState: { targetNode } },
});
const ask = (requester: Requester, after = before, old = before) =>
  decide(vmiUpdateTable, { before: old, after, requester, settings });

describe('a change of a VMI', () => {
  const otherSpec = { ...before, spec: { ...before.spec, evictionStrategy: 'None' } };

  it.each([
    ['its spec', otherSpec, 'SpecChanged', 'update of VMI object is restricted'],
    [
      'a reserved label',
      labelled('kubevirt.io/nodeName'),
      'ReservedLabelChanged',
      'modification of the following reserved kubevirt.io/ labels on a VMI object is prohibited',
    ],
  ])('is refused to anybody else: %s', (_, after, reason, message) => {
    expect(ask({}, after)).toMatchObject({
      reason,
      result: { allowed: false, message, causes: [{ reason: 'FieldValueNotSupported', message, field: '' }] },
    });
    expect(ask({ account: 'kubevirt-controller' }, after).result).toEqual({ allowed: true });
  });

  it('is accepted from anybody where labels and annotations are their own', () => {
    expect(ask({}, labelled('mine')).result).toEqual({ allowed: true });
    expect(ask({}, labelled('kubevirt.io/outdatedLauncherImage')).result).toEqual({ allowed: true });
  });
});

describe('virt-handler', () => {
  it.each([
    [
      'without a node',
      handlerOn(),
      before,
      'Node restriction failed, virt-handler service account is missing node name',
    ],
    [
      'of another node',
      handlerOn('n2'),
      before,
      'Node restriction, virt-handler is only allowed to modify VMIs it owns',
    ],
    [
      'that sends a VMI away',
      handlerOn('n1'),
      moving('n2'),
      'Node restriction, virt-handler is not allowed to set target node',
    ],
  ])('%s is refused', (_, requester, after, message) => {
    expect(ask(requester, after).result).toMatchObject({ allowed: false, message });
    const disabled = aKubeVirt()
      .spec({
        configuration: { developerConfiguration: { disabledFeatureGates: ['NodeRestriction'] } },
      })
      .build();
    const input = { before, after, requester, settings: resolveSettings(disabled) };
    expect(decide(vmiUpdateTable, input).result).toEqual({ allowed: true });
  });

  it('writes what runs on its node, and what moves there', () => {
    expect(ask(handlerOn('n1')).result).toEqual({ allowed: true });
    expect(ask(handlerOn('n2'), moving('n2'), moving('n2')).result).toEqual({ allowed: true });
  });
});

it('KubeVirt’s accounts are those in its own namespace', () => {
  const extra = { 'authentication.kubernetes.io/node-name': ['n1'] };
  const user = 'system:serviceaccount:kubevirt:kubevirt-handler';
  expect(requesterOf(user, extra, 'kubevirt')).toEqual(handlerOn('n1'));
  expect(requesterOf(user, undefined, 'elsewhere')).toEqual({});
  expect(requesterOf('admin', undefined, 'kubevirt')).toEqual({});
});
