import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Behavior } from '../decide/rules.ts';
import { describeLab } from '../lab/describe-lab.ts';
import { COUNT, NEXT_IMAGE, RECORDED_IMAGE, RecordedLab, withoutNil } from './test-recorded.ts';
import { patch } from './webhook/test-webhook.ts';

const VMS = '/apis/kubevirt.io/v1/namespaces/default/virtualmachines';
const TWO_SOCKETS = { spec: { template: { spec: { domain: { cpu: { sockets: 2 } } } } } };
const KUBEVIRT = 'KubeVirt/kubevirt';
const migrationOf = (vmi: string, nth = 1): string =>
  `VirtualMachineInstanceMigration/VirtualMachineInstanceMigration of ${vmi} #${nth}`;
/** What is written behind the end of a migration. */
const AFTER_ALL_MS = 1_500;

describeLab('recorded updates on a real control plane', () => {
  let lab: RecordedLab;

  beforeAll(async () => {
    // What the end of a target tells is to come behind what its source tells, on a busy machine too.
    lab = await RecordedLab.start({ pollSeconds: 0.4 });
  }, 150_000);
  afterEach(() => lab?.clear());
  afterAll(() => lab?.stop());

  /** More sockets for a VM that can move and for one that cannot. */
  async function plugCpus(behavior: Behavior): Promise<void> {
    await lab.begin('cpu-hotplug');
    await lab.restartController(RECORDED_IMAGE, behavior);
    for (const vm of ['mig', 'fix']) await patch(lab.cluster.lab, `${VMS}/${vm}`, TWO_SOCKETS);
    await lab.until(migrationOf('mig'), 'phase', 'Succeeded');
    await lab.until(KUBEVIRT, 'outdated', '0');
    await sleep(AFTER_ALL_MS);
  }

  /** A release is taken back while a VM has moved to it and another is on its way. */
  async function takeBack(behavior: Behavior): Promise<void> {
    await lab.begin('abort');
    await lab.restartController(NEXT_IMAGE, behavior);
    await lab.until(migrationOf('quick'), 'phase', 'Succeeded');
    await lab.until(KUBEVIRT, 'outdated', '1');
    await lab.restartController(RECORDED_IMAGE, behavior);
    await lab.until(migrationOf('quick', 2), 'phase', 'Succeeded');
    await lab.until(KUBEVIRT, 'outdated', '0');
    await sleep(AFTER_ALL_MS);
  }

  it('cpu-hotplug in exact behaviour', async () => {
    await plugCpus('exact');
    expect(lab.partings()).toEqual([]);
  }, 120_000);

  it('cpu-hotplug in intended behaviour', async () => {
    await plugCpus('intended');
    const partings = lab.partings();
    expect(partings.map(({ where }) => where)).toContain('VirtualMachineInstance/fix: events');
    // The count is written at most every five seconds, so not at every step.
    expect(withoutNil(partings).filter(({ where }) => where !== COUNT)).toEqual([]);
  }, 120_000);

  it('abort in exact behaviour', async () => {
    await takeBack('exact');
    expect(lab.partings()).toEqual([]);
  }, 120_000);

  it('abort in intended behaviour', async () => {
    await takeBack('intended');
    expect(lab.partings()).toEqual([]);
  }, 120_000);
});
