import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { describeLab, hasLabPart } from '../../lab/describe-lab.ts';
import { DroverProcess, drover, kubectlOn, until } from './test-process.ts';

const whole = hasLabPart('kube-scheduler') && hasLabPart('kube-controller-manager');

describeLab('drover lab', () => {
  const folder = mkdtempSync('/tmp/drover-lab-test-');
  const kubeconfig = join(folder, 'kubeconfig');
  /** Where the lab keeps its own folder, so that what it leaves is seen. */
  const temporary = join(folder, 'tmp');
  const kubectl = kubectlOn(inject('labAssets'), kubeconfig);
  const env = { TMPDIR: temporary, KUBEBUILDER_ASSETS: inject('labAssets') };
  let lab: DroverProcess;

  beforeAll(async () => {
    if (!whole) return;
    spawnSync('mkdir', [temporary]);
    const words = ['--nodes', '3', '--vms', '6', '--speed', '20', '--kubeconfig-out', kubeconfig];
    lab = new DroverProcess(['lab', 'up', ...words, '--kubevirt-version', '1.9'], env);
    await lab.says('the lab runs');
  }, 90_000);
  afterAll(async () => {
    lab?.child.kill('SIGTERM');
    await lab?.ended;
    rmSync(folder, { recursive: true, force: true });
  }, 30_000);

  const phases = () => kubectl('get vmi -o jsonpath={.items[*].status.phase}');
  const all = (word: string, count: number) => Array.from({ length: count }, () => word).join(' ');
  const field = (object: string, path: string) => () => kubectl(`get ${object} -o jsonpath={${path}}`);

  const subresource = (path: string, body: string) =>
    kubectl(`replace --raw /apis/subresources.kubevirt.io/v1/namespaces/default/${path} -f -`, body);

  it.skipIf(!whole)('boots its VMs, and shows them as KubeVirt does', async () => {
    await until(phases, all('Running', 6));
    const [head, row] = (await kubectl('get vmi')).split('\n');
    expect(head).toMatch(/^NAME +AGE +PHASE +IP +NODENAME +READY *$/);
    expect(row).toMatch(/^vm-01 +\d+s +Running +10\.[\d.]+ +n0\d +True *$/);
    expect(await kubectl('get vm vm-01')).toMatch(/vm-01 +\d+s +Running +True/);
  });

  it.skipIf(!whole)(
    'has nodes that read as on a cluster, whose kubelets say why they answer nothing',
    async () => {
      const version = JSON.parse(await kubectl('version -o json')).serverVersion.gitVersion;
      const [, row] = (await kubectl('get nodes -o wide')).split('\n');
      expect(row).toMatch(
        /^n01 +Ready +worker +\S+ +(\S+) +172\.30\.0\.\d +<none> +Drover lab +\S.+ +drover-lab:\/\/played *$/,
      );
      expect(row).toContain(` ${version} `);
      const pod = await kubectl(
        'get pods -l vm.kubevirt.io/name=vm-01 -o jsonpath={.items[0].metadata.name}',
      );
      const played = `pod default/${pod} is played by the lab, without containers, so`;
      await expect(kubectl(`logs ${pod}`)).rejects.toThrow(`${played} it has no logs`);
      await expect(kubectl(`exec ${pod} -- ls`)).rejects.toThrow(`${played} no command can be run in it`);
      await expect(kubectl(`port-forward ${pod} :80`)).rejects.toThrow(`${played} no port of it`);
      expect(await field('lease -n kube-node-lease n01', '.spec.holderIdentity')()).toBe('n01');
    },
  );

  it.skipIf(!whole)('takes new VMs, and refuses wrong ones in the words of virt-api', async () => {
    const devices = { interfaces: [{ name: 'default', masquerade: {} }] };
    const networks = [{ name: 'default', pod: {} }];
    const template = { spec: { domain: { devices, memory: { guest: '64Mi' } }, networks } };
    const draft = (spec: object) =>
      JSON.stringify({
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachine',
        metadata: { name: 'mine' },
        spec,
      });
    await kubectl('apply -f -', draft({ runStrategy: 'Manual', template }));
    await expect(
      kubectl('create -f -', draft({ runStrategy: 'Always' }).replace('mine', 'other')),
    ).rejects.toThrow('The request is invalid: spec.template: missing virtual machine template.');
  });

  it.skipIf(!whole)('keeps the spec and the status of a VMI from whoever is not KubeVirt', async () => {
    const edit = (change: object) =>
      kubectl(['patch', 'vmi', 'vm-01', '--type', 'merge', '-p', JSON.stringify(change)]);
    await expect(edit({ spec: { evictionStrategy: 'None' } })).rejects.toThrow(
      'The request is invalid: : update of VMI object is restricted',
    );
    await expect(kubectl('label vmi vm-01 --overwrite kubevirt.io/nodeName=n09')).rejects.toThrow(
      'reserved kubevirt.io/ labels on a VMI object is prohibited',
    );
    await kubectl('label vmi vm-01 mine=yes');
    await edit({ status: { phase: 'Failed', evacuationNodeName: 'n01' } });
    expect(await field('vmi vm-01', '.status.phase')()).toBe('Running');
    expect(await field('vmi vm-01', '.status.evacuationNodeName')()).toBe('');
  });

  it.skipIf(!whole)('refuses what is of a wrong type, and explains fields', async () => {
    const edit = (object: string, change: object) =>
      kubectl(['patch', ...object.split(' '), '--type', 'merge', '-p', JSON.stringify({ spec: change })]);
    const kubevirt = 'kubevirt -n kubevirt kubevirt';
    await expect(edit(kubevirt, { workloadUpdateStrategy: { batchEvictionSize: 'ten' } })).rejects.toThrow(
      'spec.workloadUpdateStrategy.batchEvictionSize in body must be of type integer: "string"',
    );
    await expect(
      edit(kubevirt, { configuration: { migrations: { bandwidthPerMigration: 'fast' } } }),
    ).rejects.toThrow('spec.configuration.migrations.bandwidthPerMigration in body should match');
    const domain = { cpu: { sockets: 'two' } };
    await expect(edit('vm vm-01', { template: { spec: { domain } } })).rejects.toThrow(
      'spec.template.spec.domain.cpu.sockets in body must be of type integer: "string"',
    );
    await expect(edit('vm vm-01', { runStrategy: 'always' })).rejects.toThrow('Invalid RunStrategy (always)');
    expect(await kubectl('explain kubevirt.spec.configuration.migrations')).toMatch(
      /parallelMigrationsPerCluster\t<integer>\n +Most migrations under way at once; absent: 5\./,
    );
  });

  it.skipIf(!whole)('starts, moves and stops a VM as virtctl asks for it', async () => {
    const call = (name: string, verb: string) => subresource(`virtualmachines/${name}/${verb}`, '{}');
    await call('mine', 'start');
    await until(field('vm mine', '.status.printableStatus'), 'Running');
    await expect(call('mine', 'start')).rejects.toThrow('VM is already running');
    await call('mine', 'migrate');
    const state = '.status.migrationState.completed';
    await until(field('vmi mine', state), 'true');
    await call('mine', 'stop');
    await until(field('vm mine', '.status.printableStatus'), 'Stopped');
    await expect(call('mine', 'migrate')).rejects.toThrow('VM is not running');
    await expect(call('nobody', 'stop')).rejects.toThrow('"nobody" not found');
  });

  it.skipIf(!whole)('tries what virtctl asks for as a dry run', async () => {
    const dryRun = JSON.stringify({ dryRun: ['All'] });
    await subresource('virtualmachines/vm-01/stop', dryRun);
    await subresource('virtualmachines/vm-01/restart', dryRun);
    await subresource('virtualmachines/vm-01/migrate', dryRun);
    await expect(subresource('virtualmachines/vm-01/start', dryRun)).rejects.toThrow('VM is already running');
    await expect(subresource('virtualmachines/nobody/start', dryRun)).rejects.toThrow('"nobody" not found');
    const spec = 'jsonpath={.spec.runStrategy} {.status.printableStatus} {.status.stateChangeRequests}';
    expect(await kubectl(['get', 'vm', 'vm-01', '-o', spec])).toBe('Always Running ');
    expect(await kubectl('get vmim -l kubevirt.io/vmi-name=vm-01 -o name')).toBe('');
  });

  it.skipIf(!whole)(
    'takes the mark of an eviction away, as virtctl evacuate-cancel asks for it',
    async () => {
      const node = await field('vmi vm-01', '.status.nodeName')();
      const mark = field('vmi vm-01', '.status.evacuationNodeName');
      const cancel = (body: object, plural = 'virtualmachineinstances') =>
        subresource(`${plural}/vm-01/evacuate/cancel`, JSON.stringify(body));
      // Nothing to be canceled is no error; without a place to go, the mark stays.
      await cancel({ evacuationNodeName: 'elsewhere' });
      await kubectl(['cordon', '--selector', 'kubernetes.io/os=linux']);
      const evict = async () => {
        const pod = await kubectl(
          'get pods -l vm.kubevirt.io/name=vm-01 -o jsonpath={.items[0].metadata.name}',
        );
        const body = {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { name: pod, namespace: 'default' },
        };
        const raw = `/api/v1/namespaces/default/pods/${pod}/eviction`;
        return kubectl(`create --raw ${raw} -f -`, JSON.stringify(body));
      };
      await expect(evict()).rejects.toThrow('Eviction triggered evacuation of VMI "default/vm-01"');
      await until(mark, node);
      // virtctl 1.9 names no node, so the real one fails as well.
      await expect(cancel({})).rejects.toThrow();
      await expect(cancel({ evacuationNodeName: 'elsewhere' })).rejects.toThrow();
      await cancel({ evacuationNodeName: node, dryRun: ['All'] });
      expect(await mark()).toBe(node);
      await kubectl(`taint node ${node} kubevirt.io/drain=:NoSchedule`);
      await expect(cancel({ evacuationNodeName: node })).rejects.toThrow(
        `Node "${node}" has NodeDrainTaintKey "kubevirt.io/drain:NoSchedule"`,
      );
      await kubectl(`taint node ${node} kubevirt.io/drain-`);
      await cancel({ evacuationNodeName: node }, 'virtualmachines');
      await until(mark, '');
      await kubectl(['uncordon', '--selector', 'kubernetes.io/os=linux']);
      expect(await field('vmi vm-01', '.status.nodeName')()).toBe(node);
    },
  );

  it.skipIf(!whole)(
    'calls a migration off, as virtctl migrate-cancel does: by the label of its VMI',
    async () => {
      await kubectl(['cordon', '--selector', 'kubernetes.io/os=linux']);
      await subresource('virtualmachines/vm-02/migrate', '{}');
      const migrations = () =>
        kubectl('get vmim -l kubevirt.io/vmi-name=vm-02 -o jsonpath={.items[*].status.phase}');
      await until(migrations, 'Scheduling');
      await kubectl('delete vmim -l kubevirt.io/vmi-name=vm-02');
      await until(migrations, '');
      await kubectl(['uncordon', '--selector', 'kubernetes.io/os=linux']);
      expect(await field('vmi vm-02', '.status.phase')()).toBe('Running');
      await expect(subresource('virtualmachineinstances/vm-02/pause', '{}')).rejects.toThrow(
        'pause of virtualmachineinstances default/vm-02 is not served by the lab',
      );
      const version = await kubectl('get --raw /apis/subresources.kubevirt.io/v1/version');
      expect(JSON.parse(version)).toMatchObject({ gitVersion: 'v1.9.0' });
    },
  );

  it.skipIf(!whole)('restarts a VM as virtctl asks for it', async () => {
    const uid = await field('vmi vm-02', '.metadata.uid')();
    await subresource('virtualmachines/vm-02/restart', '{}');
    await until(
      async () => String((await field('vmi vm-02', '.metadata.uid')().catch(() => uid)) !== uid),
      'true',
    );
    await until(field('vm vm-02', '.status.printableStatus'), 'Running');
  });

  it.skipIf(!whole)('drains a node: VMs move away', async () => {
    const node = await field('vmi vm-01', '.status.nodeName')();
    await kubectl(`drain ${node} --ignore-daemonsets --delete-emptydir-data --timeout=50s`);
    expect(await field('vmi vm-01', '.status.nodeName')()).not.toBe(node);
    await kubectl(`uncordon ${node}`);
    await until(phases, all('Running', 6));
  });

  it.skipIf(!whole)('rolls a release out, and moves VMs to its launchers', async () => {
    const upgraded = await drover(['lab', 'upgrade', '--kubeconfig', kubeconfig, '--version', '1.9.1'], env);
    expect([upgraded.code, upgraded.out]).toEqual([0, 'KubeVirt rolls it out\n']);
    await until(field('kubevirt -n kubevirt kubevirt', '.status.observedKubeVirtVersion'), 'v1.9.1');
    const images = field('vmi', '.items[*].status.launcherContainerImageVersion');
    await until(images, all('kubevirt/virt-launcher:v1.9.1', 6), 60);
    const { code, out } = await drover(['lab', 'status', '--kubeconfig', kubeconfig], env);
    expect(code).toBe(0);
    expect(out).toMatch(/^KubeVirt +v1\.9\.1 Deployed\nnodes +3\nVMIs +6 Running/);
  });

  it.skipIf(!whole)(
    'does not write over the kubeconfig of a lab that runs, nor of somebody else',
    async () => {
      const taken = await drover(['lab', 'up', '--kubeconfig-out', kubeconfig], env);
      expect([taken.code, taken.err]).toEqual([
        2,
        expect.stringContaining('is of a lab that runs (LabKubeconfigTaken)'),
      ]);
      const other = join(folder, 'other');
      writeFileSync(other, 'apiVersion: v1\n');
      const foreign = await drover(['lab', 'up', '--kubeconfig-out', other], env);
      expect([foreign.code, readFileSync(other, 'utf8')]).toEqual([2, 'apiVersion: v1\n']);
    },
  );

  it.skipIf(!whole)(
    'starts the VMs of a node elsewhere that is taken away',
    async () => {
      const node = await field('vmi vm-01', '.status.nodeName')();
      await kubectl(`delete node ${node}`);
      const nodes = async () => new Set((await field('vmi', '.items[*].status.nodeName')()).split(' '));
      // Kubernetes waits for a while before it takes the pods away.
      await until(async () => String((await nodes()).has(node)), 'false', 120);
      await until(phases, all('Running', 6));
    },
    180_000,
  );

  it.skipIf(!whole)('ends from elsewhere, without a process, a folder or a file left', async () => {
    const [left = ''] = readdirSync(temporary).filter((name) => name.startsWith('drover-lab-'));
    expect(left).not.toBe('');
    const down = await drover(['lab', 'down', '--kubeconfig', kubeconfig], env);
    expect([down.code, down.out]).toEqual([0, 'the lab has ended\n']);
    expect(await lab.ended).toMatchObject({ code: 0, err: '' });
    expect(readdirSync(temporary).filter((name) => name.startsWith('drover-lab-'))).toEqual([]);
    expect(existsSync(kubeconfig)).toBe(false);
    expect(spawnSync('pgrep', ['-f', left], { encoding: 'utf8' }).stdout).toBe('');
    const status = await drover(['lab', 'status', '--kubeconfig', kubeconfig], env);
    expect([status.code, status.err]).toEqual([2, expect.stringContaining('(LabNotRunning)')]);
  });

  it.skipIf(!whole)('ends when a part of its control plane does, and says which and why', async () => {
    const words = ['lab', 'up', '--nodes', '1', '--vms', '0', '--kubeconfig-out', kubeconfig];
    const short = new DroverProcess(words, env);
    await short.says('the lab runs');
    const [pid = ''] = spawnSync('pgrep', ['-P', String(short.child.pid), 'kube-scheduler'], {
      encoding: 'utf8',
    }).stdout.split('\n');
    process.kill(Number(pid), 'SIGTERM');
    const { code, err } = await short.ended;
    expect(code).toBe(2);
    expect(err).toMatch(/kube-scheduler has ended with exit code \d+; it said last: .*\(LabBroken\)/);
    expect(existsSync(kubeconfig)).toBe(false);
  });

  it.skipIf(!whole)('ends on Ctrl-C, which a terminal sends to all of its processes', async () => {
    const words = ['lab', 'up', '--nodes', '1', '--vms', '0', '--kubeconfig-out', kubeconfig];
    const short = new DroverProcess(words, env, true);
    await short.says('the lab runs');
    short.pressCtrlC();
    expect(await short.ended).toMatchObject({ code: 0, err: '' });
    expect(readdirSync(temporary).filter((name) => name.startsWith('drover-lab-'))).toEqual([]);
    expect(existsSync(kubeconfig)).toBe(false);
  });

  it.skipIf(!whole)('is cleared away after it was killed, and said so', async () => {
    const words = ['lab', 'up', '--nodes', '1', '--vms', '0', '--kubeconfig-out', kubeconfig];
    const killed = new DroverProcess(words, env);
    await killed.says('the lab runs');
    killed.child.kill('SIGKILL');
    await killed.ended;
    const [left = ''] = readdirSync(temporary).filter((name) => name.startsWith('drover-lab-'));
    expect(left).not.toBe('');
    const down = await drover(['lab', 'down', '--kubeconfig', kubeconfig], env);
    expect([down.code, down.out]).toEqual([0, 'the lab has ended\n']);
    expect(down.err).toContain(`a lab was killed before: removed ${join(temporary, left)}`);
    expect(readdirSync(temporary).filter((name) => name.startsWith('drover-lab-'))).toEqual([]);
    expect(existsSync(kubeconfig)).toBe(false);
    expect(spawnSync('pgrep', ['-f', left], { encoding: 'utf8' }).stdout).toBe('');
  });

  it('says how to get the programs where they are missing', async () => {
    const words = ['lab', 'up', '--kubeconfig-out', join(folder, 'none')];
    const { code, err } = await drover(words, { KUBEBUILDER_ASSETS: folder });
    expect(code).toBe(2);
    expect(err).toContain(
      'lacks kube-apiserver, kube-controller-manager, kube-scheduler, kubectl, etcd (LabAssetsMissing)',
    );
    expect(err).toContain('npm run lab:assets');
  });
});
