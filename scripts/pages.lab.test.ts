import { execFile } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { describeLab } from '../src/lab/describe-lab.ts';
import { findHelm } from '../src/lab/helm.ts';
import { LAB_FLAGS, type Lab, startLab } from '../src/lab/lab.ts';
import { kubevirtCrds } from '../src/lab/objects/crds.ts';
import { loadCrds } from '../src/lab/objects/load-crds.ts';
import { buildProgram } from './bundle.ts';
import { type Step, stepsOf } from './page-commands.ts';
import { othersCrds } from './test-crds.ts';
import { loadDemo } from './test-demo.ts';

const pagesIn = (folder: string): string[] => readdirSync(folder).map((name) => join(folder, name));
const HOW_TO = pagesIn('docs/how-to');
const RUNBOOKS = pagesIn('docs/runbooks');

/** What is Drover's in the cluster, whoever put it there. */
const KINDS = [
  ...['deployments.apps', 'services', 'serviceaccounts', 'configmaps', 'poddisruptionbudgets.policy'],
  ...['networkpolicies.networking.k8s.io', 'roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
  ...['mutatingwebhookconfigurations', 'validatingwebhookconfigurations', 'validatingadmissionpolicies'],
  ...['validatingadmissionpolicybindings', 'servicemonitors', 'prometheusrules', 'certificates'],
];

describeLab('what the pages tell a reader to do', () => {
  let lab: Lab;
  const folder = mkdtempSync(join(tmpdir(), 'drover-pages-'));
  const bin = join(folder, 'bin');

  beforeAll(async () => {
    lab = await startLab({ apiServerFlags: LAB_FLAGS });
    await loadCrds(lab.admin, [...kubevirtCrds(), ...othersCrds()]);
    await loadDemo(lab);
    await buildProgram(join(folder, 'dist'));
    mkdirSync(bin);
    symlinkSync(join(inject('labAssets'), 'kubectl'), join(bin, 'kubectl'));
    symlinkSync(findHelm(), join(bin, 'helm'));
    // An answer is an answer, be it a bad one: only that there is none ends a page.
    const drover = `#!/bin/sh\n"${process.execPath}" "${folder}/dist/drover.js" "$@" || [ $? -eq 1 ]\n`;
    writeFileSync(join(bin, 'drover'), drover);
    chmodSync(join(bin, 'drover'), 0o755);
  }, 120_000);
  afterAll(async () => {
    await lab?.stop();
    rmSync(folder, { recursive: true });
  });

  /** Leaves nothing of Drover in the cluster. There is nobody to finish a namespace here, so it is done by hand. */
  async function clear(): Promise<void> {
    await lab.kubectl(['delete', KINDS.join(), '-A', '-l', 'app.kubernetes.io/name=drover']);
    await lab.kubectl(['delete', 'secrets', '--all', '-n', 'drover-system']);
    await lab.kubectl(['delete', 'namespace', 'drover-system', '--wait=false']);
    const body = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'drover-system' },
      spec: { finalizers: [] },
    };
    await lab.admin.call({ method: 'PUT', path: '/api/v1/namespaces/drover-system/finalize', body });
  }

  /** A folder of its own for a reader, who works in a clone. */
  function workFolder(): string {
    const work = mkdtempSync(join(folder, 'work-'));
    for (const name of ['deploy', 'testdata']) symlinkSync(resolve(name), join(work, name));
    return work;
  }

  async function take(steps: readonly Step[]): Promise<void> {
    const cwd = workFolder();
    for (const step of steps) {
      if ('file' in step) writeFileSync(join(cwd, step.file), step.text);
      else await shell(step.commands, cwd);
    }
  }

  function shell(commands: string, cwd: string): Promise<void> {
    const PATH = [bin, dirname(process.execPath), process.env.PATH].join(delimiter);
    const env = { ...process.env, PATH, KUBECONFIG: lab.kubeconfig, HOME: folder };
    return new Promise((done, fail) => {
      execFile('bash', ['-euo', 'pipefail', '-c', commands], { cwd, env }, (error, stdout, stderr) => {
        if (error) fail(new Error(`${commands}\nended with ${error.code}:\n${stdout}\n${stderr}`));
        else done();
      });
    });
  }

  it.each(HOW_TO)(
    '%s',
    async (page) => {
      for (const steps of stepsOf(readFileSync(page, 'utf8'))) {
        await clear();
        await take(steps);
      }
    },
    120_000,
  );

  describe('with everything installed', () => {
    const overlays = ['controller', 'guard', 'monitoring'].map((part) => `deploy/kustomize/overlays/${part}`);
    beforeAll(async () => {
      await clear();
      await take([{ commands: overlays.map((path) => `kubectl apply --server-side -k ${path}`).join('\n') }]);
    }, 60_000);

    it.each(RUNBOOKS)('%s', async (page) => {
      const parts = stepsOf(readFileSync(page, 'utf8'));
      expect(parts.flat()).not.toEqual([]);
      for (const steps of parts) await take(steps);
    });
  });
});
