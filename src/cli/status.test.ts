import { describe, expect, it } from 'vitest';
import { Fleet } from '../fleet/fleet.ts';
import { aKubeVirt, aVmi } from '../kubevirt/builders.ts';
import type { Vmi } from '../kubevirt/objects.ts';
import { aSmallFleet, noLab, notAskedFor, runCli, words } from './builders.ts';
import type { Look } from './services.ts';

const old = () => aVmi('db-0').on('n1').launcher('v1').migratable();

function fleetOf(...vmis: readonly Vmi[]): Fleet {
  const fleet = new Fleet();
  fleet.apply('KubeVirt', aKubeVirt().methods('LiveMigrate').build());
  for (const vmi of vmis) fleet.apply('VirtualMachineInstance', vmi);
  return fleet;
}

describe('drover status', () => {
  it('shows how far a cluster in a file is', async () => {
    const { code, stdout, read, asked } = await runCli(words('status -f c.yaml --launcher-image v2'));
    expect([code, read]).toEqual([0, [['c.yaml']]]);
    expect(asked).toMatchObject([
      {
        name: 'status',
        question: { launcherImage: 'v2', strategy: undefined },
        options: { behavior: 'exact' },
      },
    ]);
    expect(stdout).toContain('roll-out of v2 · KubeVirt 1.9');
    expect(stdout).toContain('shop/db-0');
  });

  it('reads a live cluster, and takes the image that the input names', async () => {
    const readLive = async () => ({
      fleet: aSmallFleet(),
      warnings: ['odd'],
      launcherImage: 'v3',
      takenAt: 7,
    });
    const { asked, stderr } = await runCli(words('status -l app=db -n shop'), { readLive });
    expect(asked).toMatchObject([
      { question: { launcherImage: 'v3' }, options: { now: 7, scope: { namespace: 'shop' } } },
    ]);
    expect(stderr).toBe('warning: odd\n');
  });

  it('exits with 1 where somebody is stuck', async () => {
    const fleet = fleetOf(aVmi('db-0').on('n1').launcher('v1').build());
    const readLive = async () => ({ fleet, warnings: [], takenAt: 0 });
    const { code } = await runCli(words('status --launcher-image v2'), { readLive });
    expect(code).toBe(1);
  });

  it("asks for Drover's own strategy", async () => {
    const { asked } = await runCli(words('status -f c --strategy-from-configmap a/b'));
    expect(asked).toMatchObject([
      { name: 'strategy', question: { configMap: { namespace: 'a', name: 'b' } } },
      { name: 'status', question: { strategy: { methods: ['Evict'] } } },
    ]);
  });

  it.each([
    ['json', '{\n  "apiVersion": "drover.dev/v1alpha1",\n  "kind": "RolloutStatus"'],
    ['yaml', 'apiVersion: drover.dev/v1alpha1\nkind: RolloutStatus\n'],
  ])('prints %s', async (output, start) => {
    const { stdout } = await runCli(words(`status -f c -o ${output}`));
    expect(stdout.startsWith(start)).toBe(true);
  });

  it.each([
    ['-w -f c', '-w follows a live cluster; a file does not change'],
    ['--strategy-from-file a --strategy-from-configmap b/c', 'give one of --strategy-from-file'],
  ])('refuses %s', async (line, message) => {
    const { code, stderr } = await runCli(words(`status ${line}`));
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('drover status -w', () => {
  /** Follows a cluster that goes through these pictures, the last of which stays. */
  async function follow(line: string, pictures: readonly Fleet[], isTerminal = false) {
    const looks: boolean[] = [];
    const play = async (_: unknown, look: Look): Promise<void> => {
      for (const [i, fleet] of pictures.entries()) looks.push(await look(fleet, i * 1000, []));
    };
    const { services } = await contextOf();
    const ran = await runCli(words(`status -w --launcher-image v2 ${line}`), {
      services: { ...services, follow: play },
      terminal: { width: 100, colour: false, watched: false, isTerminal },
    });
    return { ...ran, looks };
  }

  /** The services of a command line in tests. */
  async function contextOf() {
    const services = {
      webhook: async () => {},
      webhookManifests: async () => '',
      controller: async () => {},
      strategy: () => Promise.reject(new Error('not asked for')),
      follow: async () => {},
      check: () => Promise.reject(new Error('not asked for')),
      lab: noLab,
      simulate: notAskedFor,
      requireWritable: async () => {},
      writeFile: async () => {},
    };
    return { services };
  }

  const moving = fleetOf(old().migrationState({ startTimestamp: '1969-12-31T23:59:00Z' }).build());
  const done = fleetOf(aVmi('db-0').on('n1').launcher('v2').build());

  it('goes on until nobody moves or waits, a line for each change', async () => {
    const { stdout, looks, code } = await follow('', [moving, moving, done]);
    expect([looks, code]).toEqual([[true, true, false], 0]);
    expect(stdout.split('\n')).toEqual([
      '1970-01-01T00:00:00Z  0%  Done 0  Waiting 0  Moving 1  Stuck 0',
      '1970-01-01T00:00:02Z  100%  Done 1  Waiting 0  Moving 0  Stuck 0  until 1970-01-01T00:00:02Z',
      '',
    ]);
  });

  it('draws anew on a terminal', async () => {
    const { stdout } = await follow('', [moving, done], true);
    const drawn = stdout.split('\u001b[H\u001b[2J\u001b[3J');
    expect(drawn).toHaveLength(3);
    expect(drawn[2]).toContain('The one VM is up to date.');
  });

  it('prints a line of JSON, or a document of YAML, for each change', async () => {
    const json = (await follow('-o json', [moving, moving, done])).stdout.trim().split('\n');
    expect(json.map((line) => JSON.parse(line).status.counts.Done)).toEqual([0, 1]);
    const yaml = (await follow('-o yaml', [moving, done])).stdout;
    expect(yaml.match(/^---\napiVersion/gm)).toHaveLength(2);
  });

  it('ends with 1 where those that are left are stuck', async () => {
    const blocked = aVmi('db-0').on('n1').launcher('v1').migratable('False').build();
    const { code, looks } = await follow('', [fleetOf(blocked)]);
    expect([code, looks]).toEqual([1, [false]]);
  });
});
