import { describe, expect, it } from 'vitest';
import { aKubeVirt, aVmi } from '../../kubevirt/builders.ts';
import { aFleet, findingsOf, objectsFound } from './builders.ts';
import { lint } from './lint.ts';
import { launcherImageUnknown, updateGateClosed, versionOutOfRange } from './update-rules.ts';

const CR = 'KubeVirt kubevirt/kubevirt';
const now = Date.UTC(2026, 2, 1, 12);

describe('UpdateGateClosed', () => {
  it.each([
    ['an open gate', aFleet(aKubeVirt().build())],
    ['no CR', aFleet()],
  ])('says nothing about %s', (_, fleet) => {
    expect(objectsFound(updateGateClosed, fleet)).toEqual([]);
  });

  it.each([
    [{ phase: 'Deploying' }, 'the phase is Deploying, not Deployed'],
    [{ phase: '' }, 'the phase is not set, not Deployed'],
    [
      { observedDeploymentID: 'old', targetDeploymentID: 'new' },
      'deployment old is ready, but new is wanted',
    ],
    [{ observedDeploymentID: undefined }, 'deployment (none) is ready, but same is wanted'],
    [{ targetDeploymentID: '' }, 'deployment same is ready, but (none) is wanted'],
  ])('finds %j', (status, why) => {
    expect(findingsOf(updateGateClosed, aFleet(aKubeVirt().status(status).build()))).toMatchObject([
      {
        code: 'DRV005',
        objects: [CR],
        cause: `No roll-out and no live update happens now: ${why}.`,
        cure: 'Wait for virt-operator. If it is stuck, see what it says: `kubectl describe kubevirt -n kubevirt kubevirt`',
      },
    ]);
  });

  it('gives the values that decided as evidence', () => {
    const [finding] = findingsOf(
      updateGateClosed,
      aFleet(aKubeVirt().status({ phase: 'Deploying' }).build()),
    );
    expect(finding?.evidence).toEqual([{ object: CR, path: 'status.phase', value: 'Deploying' }]);
  });
});

describe('VersionOutOfRange', () => {
  const running = (observedKubeVirtVersion?: string) =>
    aFleet(aKubeVirt().status({ observedKubeVirtVersion }).build());

  it.each(['v1.5.0', 'v1.9.3'])('knows %s', (version) => {
    expect(objectsFound(versionOutOfRange, running(version))).toEqual([]);
  });

  it.each([
    ['v1.4.1', 'The cluster runs KubeVirt 1.4; forecasts are made for 1.5 to 1.9.'],
    ['v0.59.0', 'The cluster runs KubeVirt 0.59; forecasts are made for 1.5 to 1.9.'],
    ['v1.10.0', 'The cluster runs KubeVirt 1.10; forecasts are made for 1.5 to 1.9.'],
    ['v2.0.0', 'The cluster runs KubeVirt 2.0; forecasts are made for 1.5 to 1.9.'],
    [undefined, 'The CR does not say which version runs, so 1.9 is assumed.'],
  ])('speaks up about %s', (version, cause) => {
    expect(findingsOf(versionOutOfRange, running(version))).toMatchObject([
      {
        code: 'DRV006',
        objects: [CR],
        cause,
        evidence: [{ object: CR, path: 'status.observedKubeVirtVersion', value: version }],
      },
    ]);
  });

  it('is content with a version that the user names', () => {
    const options = { kubevirtVersion: { major: 1, minor: 8 } };
    expect(objectsFound(versionOutOfRange, running(), options)).toEqual([]);
  });
});

describe('LauncherImageUnknown', () => {
  const since = (phaseTransitionTimestamp: string) => [{ phase: 'Running', phaseTransitionTimestamp }];
  const db = (status: Parameters<ReturnType<typeof aVmi>['status']>[0]) =>
    aVmi('db').createdAt('2026-02-20T12:00:00Z').status(status).build();

  it.each([
    ['an image that is known', [db({ launcherContainerImageVersion: 'l' })]],
    ['a VMI that has just started', [db({ phaseTransitionTimestamps: since('2026-03-01T11:50:00Z') })]],
    [
      'one that has just been moved',
      [
        db({
          migrationState: { startTimestamp: '2026-03-01T11:40:00Z', endTimestamp: '2026-03-01T11:55:00Z' },
        }),
      ],
    ],
    ['one that is on the move', [db({ migrationState: { startTimestamp: '2026-03-01T11:00:00Z' } })]],
    ['one of unknown age', [aVmi('db').build()]],
  ])('says nothing about %s', (_, objects) => {
    expect(objectsFound(launcherImageUnknown, aFleet(...objects), { now })).toEqual([]);
  });

  it.each([
    ['2026-03-01T11:49:59Z', '10 min'],
    ['2026-03-01T10:00:01Z', '119 min'],
    ['2026-03-01T10:00:00Z', '2 h'],
    ['2026-02-27T12:00:01Z', '47 h'],
    ['2026-02-27T12:00:00Z', '2 d'],
  ])('finds one that runs since %s', (timestamp, duration) => {
    const status = { phaseTransitionTimestamps: since(timestamp), launcherContainerImageVersion: '' };
    expect(findingsOf(launcherImageUnknown, aFleet(db(status)), { now })).toMatchObject([
      {
        code: 'DRV011',
        objects: ['VirtualMachineInstance shop/db'],
        cause: `1 VMI has an empty status.launcherContainerImageVersion; shop/db has been running for ${duration}.`,
        cure: 'See whether the VMI has its pod, and restart the VM if not: `kubectl get pods -n shop -l kubevirt.io/created-by=uid-db`',
        evidence: [
          { path: 'status.launcherContainerImageVersion', value: '' },
          { path: 'status.phaseTransitionTimestamps[phase=Running]', value: timestamp },
        ],
      },
    ]);
  });

  it('goes by the age where the start is not told, and by the last move', () => {
    const moved = { startTimestamp: '2026-02-28T11:00:00Z', endTimestamp: '2026-02-28T12:00:00Z' };
    const causes = [db({}), db({ migrationState: moved })].map(
      (vmi) => findingsOf(launcherImageUnknown, aFleet(vmi), { now })[0]?.cause,
    );
    expect(causes.map((cause) => cause?.match(/for (.*)\.$/)?.[1])).toEqual(['9 d', '24 h']);
  });

  it('is not tried without the time', () => {
    const { notChecked } = lint(aFleet(db({})), {}, [launcherImageUnknown]).status;
    expect(notChecked).toEqual([{ code: 'DRV011', name: 'LauncherImageUnknown', needs: ['the time'] }]);
  });
});
