import { describe, expect, it } from 'vitest';
import { aVm, aVmi } from '../../kubevirt/builders.ts';
import type { Condition, VirtualMachine, Vmi } from '../../kubevirt/objects.ts';
import { parseInstant } from '../../kubevirt/time.ts';
import { vmConditions } from './vm-conditions.ts';
import { isStartFailureNew, type VmNews, withVmStatus } from './vm-status.ts';

const NOW = parseInstant('2026-03-01T12:00:00Z') ?? 0;
const AT = '2026-03-01T12:00:00Z';

describe('the conditions of a VM', () => {
  const noVmi = {
    type: 'Ready',
    status: 'False',
    reason: 'VMINotExists',
    message: 'VMI does not exist',
    lastTransitionTime: AT,
  };
  const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2026-03-01T11:00:00Z' };
  const migratable = { type: 'LiveMigratable', status: 'True' };
  const withConditions = (...conditions: Condition[]): Vmi => aVmi().status({ conditions }).build();

  it.each<[string, Vmi | undefined, Condition[]]>([
    ['without a VMI', undefined, [noVmi]],
    [
      'whose VMI does not say',
      aVmi().build(),
      [
        {
          type: 'Ready',
          status: 'False',
          reason: 'VMIConditionMissing',
          message: 'VMI is missing the Ready condition',
          lastTransitionTime: AT,
        },
      ],
    ],
    ['whose VMI is ready', withConditions(ready, migratable), [migratable, ready]],
  ])('%s', (_, vmi, expected) => {
    expect(vmConditions([], vmi, undefined, NOW)).toEqual(expected);
  });

  it('keep what the last VMI said while there is none, and lose it with the next', () => {
    const held = [ready, migratable];
    expect(vmConditions(held, undefined, undefined, NOW)).toEqual([noVmi, migratable]);
    expect(vmConditions(held, withConditions(ready), undefined, NOW)).toEqual([ready]);
  });

  it("keep what is the VM's own, whatever the VMI says", () => {
    const own = ['RestartRequired', 'ManualRecoveryRequired'].map((type) => ({ type, status: 'True' }));
    const vmi = withConditions(ready, { type: 'RestartRequired', status: 'False' });
    expect(vmConditions([...own, ready], vmi, undefined, NOW)).toEqual([...own, ready]);
  });

  it('say what went wrong, as long as it does', () => {
    const failure = { reason: 'FailedCreate', message: 'no' };
    const failed = vmConditions([ready], withConditions(ready), failure, NOW);
    expect(failed).toEqual([ready, { type: 'Failure', status: 'True', ...failure, lastTransitionTime: AT }]);
    expect(vmConditions(failed, withConditions(ready), failure, NOW)).toBe(failed);
    expect(vmConditions(failed, withConditions(ready), undefined, NOW)).toEqual([ready]);
  });
});

describe('the status of a VM', () => {
  const seen = (vm: VirtualMachine, vmi?: Vmi, news: Partial<VmNews> = {}) =>
    withVmStatus(vm, { vmi, now: NOW, chance: 0, ...news });
  const running = aVmi('db').condition('Ready', 'True').build();

  it('tells of a VMI that runs', () => {
    expect(seen(aVm().build(), running).status).toEqual({
      created: true,
      ready: true,
      runStrategy: 'Always',
      printableStatus: 'Running',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: AT }],
    });
  });

  it('is the same VM where nothing changes', () => {
    const vm = seen(aVm().build(), running);
    expect(seen(vm, running)).toBe(vm);
  });

  it('forgets a VMI that is gone, but not the strategy', () => {
    const vm = seen(seen(aVm().build(), running));
    expect(vm.status).toMatchObject({ runStrategy: 'Always', printableStatus: 'Stopped' });
    expect(vm.status).not.toHaveProperty('created');
    expect(vm.status).not.toHaveProperty('ready');
  });

  it.each([
    ['cut short', 'Succeeded', [{ volumeName: 'd' }], true],
    ['under way', 'Running', [{ volumeName: 'd' }], false],
    ['over', 'Failed', [], false],
  ])('asks for recovery of a volume migration that is %s', (_, phase, migratedVolumes, isAsked) => {
    const moved = aVmi('db')
      .phase(phase)
      .condition('VolumesChange', 'True')
      .status({ migratedVolumes })
      .build();
    const asked = { type: 'ManualRecoveryRequired', status: 'True', lastTransitionTime: AT };
    const conditions = seen(aVm().build(), moved).status?.conditions ?? [];
    expect(conditions.filter(({ type }) => type === asked.type)).toEqual(isAsked ? [asked] : []);
    expect(seen(seen(aVm().build(), moved)).status?.conditions?.some(({ type }) => type === asked.type)).toBe(
      isAsked,
    );
  });

  it('notes a strategy only with a VMI, and none that is in doubt', () => {
    expect(seen(aVm().build()).status?.runStrategy).toBeUndefined();
    const both = aVm()
      .spec({ running: true, runStrategy: 'Always' })
      .status({ runStrategy: 'Manual' })
      .build();
    expect(seen(both, running).status?.runStrategy).toBe('Manual');
    expect(seen(aVm().running(true).build(), running).status?.runStrategy).toBe('Always');
  });

  it.each<[string, Partial<VmNews>, string]>([
    ['a start that is not seen yet', { expectations: { creations: 1, deletions: 0 } }, 'Starting'],
    ['disks that are filled', { dataVolumes: 'Provisioning' }, 'Provisioning'],
    ['nothing', {}, 'Stopped'],
  ])('shows %s', (_, news, printableStatus) => {
    expect(seen(aVm().build(), undefined, news).status?.printableStatus).toBe(printableStatus);
  });

  it('drops requests that are done', () => {
    const vm = aVm().requesting('Stop', 'another').requesting('Start').build();
    expect(seen(vm).status?.stateChangeRequests).toEqual([{ action: 'Start' }]);
    expect(seen(vm, running).status).not.toHaveProperty('stateChangeRequests');
  });

  it('asks for a restart until there is one', () => {
    const asked = seen(aVm().build(), running, { restartRequired: 'why' });
    const condition = { type: 'RestartRequired', status: 'True', message: 'why' };
    expect(asked.status?.conditions).toContainEqual(condition);
    expect(seen(asked, running)).toBe(asked);
    expect(seen(asked, running, { restarted: true }).status?.conditions).not.toContainEqual(condition);
  });

  describe('after a start that failed', () => {
    const failed = aVmi('db').phase('Failed').build();

    it('counts it once', () => {
      const vm = aVm().build();
      expect(isStartFailureNew(vm, { vmi: failed, now: NOW })).toBe(true);
      const counted = seen(vm, failed, { chance: 0.999 });
      expect(counted.status?.startFailure).toEqual({
        consecutiveFailCount: 1,
        lastFailedVMIUID: 'uid-db',
        retryAfterTimestamp: '2026-03-01T12:00:15Z',
      });
      expect(counted.status?.printableStatus).toBe('CrashLoopBackOff');
      expect(isStartFailureNew(counted, { vmi: failed, now: NOW })).toBe(false);
    });

    it.each([
      ['no VMI', undefined],
      ['a VMI that runs', running],
      [
        'one that ran',
        aVmi()
          .phase('Failed')
          .status({ phaseTransitionTimestamps: [{ phase: 'Running' }] })
          .build(),
      ],
    ])('counts nothing of %s', (_, vmi) => {
      expect(isStartFailureNew(aVm().build(), { vmi, now: NOW })).toBe(false);
    });
  });
});
