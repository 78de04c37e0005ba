import { describe, expect, it } from 'vitest';
import { clusterObjects } from '../../scenario/cluster.ts';
import { lint } from '../lint/lint.ts';
import { DRAIN_DEFAULTS } from '../questions.ts';
import { fleetOf } from '../test-clusters.ts';
import { planDrain } from './drain.ts';
import { planEdit } from './edit.ts';

/** A VM that was stamped LiveMigrate and cannot migrate, on a cluster whose strategy is another by now. */
function stamped(clusterStrategy: string) {
  return fleetOf(
    clusterObjects({
      nodes: ['n1', 'n2'],
      kubevirt: { evictionStrategy: clusterStrategy },
      vms: [{ name: 'db', node: 'n1', migratable: 'DisksNotLiveMigratable', strategy: 'LiveMigrate' }],
    }),
  );
}

describe("a restart that would not bring the VM back, for the cluster's strategy is a word that KubeVirt does not know", () => {
  const edit = (fleet: ReturnType<typeof stamped>, ...set: { path: string; value: string }[]) =>
    planEdit(fleet, { vm: 'default/db', set }, { now: 0 }).status.vms[0];
  const cores = { path: 'cpu.cores', value: '4' };

  it('is not advised after an edit', () => {
    const verdict = edit(stamped('Foo'), cores);
    expect([verdict?.outcome, verdict?.reason]).toEqual(['Untouched', 'RestartRequired']);
    expect(verdict?.message).toMatch(
      /; restarted, it is shut down, and does not come back: virt-api refuses/,
    );
    expect(verdict?.remedies[0]).toMatch(/^Set configuration\.evictionStrategy to/);
    expect(edit(stamped('None'), cores)?.remedies).toEqual([
      'Restart it when it suits: virtctl restart db -n default',
    ]);
  });

  it('is advised after an edit that names a known one', () => {
    const verdict = edit(stamped('Foo'), cores, { path: 'evictionStrategy', value: 'None' });
    expect(verdict?.remedies).toEqual(['Restart it when it suits: virtctl restart db -n default']);
  });

  it('is not advised of a VM that refuses eviction', () => {
    const [verdict] = planDrain(stamped('Foo'), { ...DRAIN_DEFAULTS, nodes: ['n1'] }, { now: 0 }).status.vms;
    expect(verdict?.remedies.filter((remedy) => remedy.includes('virtctl restart'))).toEqual([]);
    expect(verdict?.remedies).toContain('Restart it once then, not before: it would not come back.');
  });

  it('is not advised by lint', () => {
    const found = lint(stamped('Foo'), { now: 0 }).status.findings;
    expect(found.find(({ code }) => code === 'DRV012')?.cure).toMatch(/^Do not restart them yet/);
  });
});
