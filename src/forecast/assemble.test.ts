import { expect, it } from 'vitest';
import { parseVersion } from '../decide/versions.ts';
import { Fleet } from '../fleet/fleet.ts';
import { planUpgrade } from './plans/upgrade.ts';

const UNKNOWN = (version: string) =>
  `KubeVirt ${version} is not among those that forecasts are made for (1.5 to 1.9): it is taken for the nearest of them.`;

it.each<[string | undefined, string | undefined, string[]]>([
  ['v1.9.0', undefined, []],
  ['v1.5.2', undefined, []],
  ['v1.10.0', undefined, [UNKNOWN('1.10')]],
  ['v1.4.1', undefined, [UNKNOWN('1.4')]],
  ['v1.4.1', '1.8', ['KubeVirt 1.8 as asked for; the cluster reports v1.4.1.']],
  ['v1.8.0', '2.0', ['KubeVirt 2.0 as asked for; the cluster reports v1.8.0.', UNKNOWN('2.0')]],
  ['devel', undefined, ['KubeVirt 1.9 assumed: "devel" is no version.']],
  [undefined, undefined, ['KubeVirt 1.9 assumed: no status.observedKubeVirtVersion in the input.']],
])(
  'a forecast for KubeVirt %s, asked for as %s, says what that version is taken for',
  (observed, asked, says) => {
    const fleet = new Fleet();
    const metadata = { name: 'kubevirt', namespace: 'kubevirt' };
    fleet.apply('KubeVirt', { kind: 'KubeVirt', metadata, status: { observedKubeVirtVersion: observed } });
    const { status } = planUpgrade(fleet, {}, { now: 0, kubevirtVersion: parseVersion(asked) });
    const told = [...status.notes, ...status.warnings].filter((line) => line.startsWith('KubeVirt '));
    expect(told.filter((line) => !line.startsWith('KubeVirt counts'))).toEqual(says);
  },
);
