import { describe, expect, it } from 'vitest';
import { Fleet } from '../fleet/fleet.ts';
import { type CheckedPod, reportOf } from '../forecast/check/report.ts';
import { parseSelector } from '../kubevirt/selector.ts';
import { aSmallFleet, noLab, notAskedFor, runCli, words } from './builders.ts';
import type { CliContext } from './context.ts';
import type { CheckRequest, Services } from './services.ts';

const pod = (result: CheckedPod['result']): CheckedPod => ({
  namespace: 'shop',
  pod: `p-${result}`,
  vm: 'db',
  result,
  reason: 'R',
  message: 'm',
  evidence: [],
});

/** Runs `drover check` on a cluster whose check gives these results. */
async function run(
  line: string,
  results: readonly CheckedPod['result'][] = [],
  change: Partial<CliContext> = {},
) {
  const requests: CheckRequest[] = [];
  const files: [string, string][] = [];
  const services: Services = {
    webhook: () => Promise.reject(new Error('not asked for')),
    webhookManifests: () => Promise.reject(new Error('not asked for')),
    controller: () => Promise.reject(new Error('not asked for')),
    strategy: () => Promise.reject(new Error('not asked for')),
    follow: () => Promise.reject(new Error('not asked for')),
    check: async (_fleet, request, onProgress) => {
      requests.push(request);
      onProgress?.(1, 2);
      return reportOf({ kubevirtVersion: '1.9', behavior: 'exact' }, results.map(pod), []);
    },
    lab: noLab,
    simulate: notAskedFor,
    requireWritable: async () => {},
    writeFile: async (path, text) => void files.push([path, text]),
  };
  const known = async () => {
    const fleet = aSmallFleet();
    fleet.noteKnown('Pod');
    return { fleet, warnings: ['w'] };
  };
  const ran = await runCli(words(`check ${line}`), { services, readLive: known, ...change });
  return { ...ran, requests, files };
}

describe('drover check', () => {
  it.each<[string, object]>([
    ['', { perSecond: 10, parallel: 8, behavior: 'exact', scope: {} }],
    ['--rate 0.5 --parallel 2', { perSecond: 0.5, parallel: 2 }],
    [
      '-n shop -l app=db --behavior intended --kubevirt-version v1.8.1',
      {
        scope: { namespace: 'shop', selector: parseSelector('app=db') },
        behavior: 'intended',
        kubevirtVersion: { major: 1, minor: 8 },
      },
    ],
    [
      '--context c --kubeconfig k --request-timeout 5s',
      { source: { context: 'c', kubeconfig: 'k', requestTimeoutSeconds: 5 } },
    ],
  ])('%s', async (line, request) => {
    const ran = await run(line);
    expect(ran.stderr).toBe('warning: w\n');
    expect(ran.requests).toMatchObject([request]);
  });

  it.each<[CheckedPod['result'][], number]>([
    [[], 0],
    [['Agrees'], 0],
    [['Agrees', 'Unknown'], 2],
    [['Differs', 'Unknown', 'Agrees'], 1],
  ])('%j ends with %i', async (results, code) => {
    expect((await run('', results)).code).toBe(code);
  });

  it.each([
    ['table', /^check · .*\n✗ /],
    ['wide', /NODE/],
    ['name', /^pod\/shop\/p-Differs\n$/],
    ['markdown', /^### ❌/],
    ['json', /^\{\n {2}"apiVersion": "drover.dev\/v1alpha1",\n {2}"kind": "CheckReport"/],
    ['yaml', /^apiVersion: drover.dev\/v1alpha1\nkind: CheckReport\n/],
  ])('-o %s', async (output, form) => {
    expect((await run(`-o ${output}`, ['Differs', 'Agrees'])).stdout).toMatch(form);
  });

  it('writes a JUnit report besides', async () => {
    const { files, stdout } = await run('--junit out.xml', ['Agrees']);
    expect(files).toEqual([
      ['out.xml', expect.stringContaining('<testcase classname="shop" name="p-Agrees"/>')],
    ]);
    expect(stdout).toMatch(/^check/);
  });

  it('tells a person how far it is', async () => {
    const terminal = { width: 100, colour: false, watched: true };
    expect((await run('', ['Agrees'], { terminal })).stderr).toContain('asked about 1 of 2 pods …\r\u001b[K');
  });

  it('does not take a cluster without a list of pods for one without pods', async () => {
    const readLive = async () => ({ fleet: new Fleet(), warnings: [] });
    const ran = await run('', [], { readLive });
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toContain('error: the pods of the cluster are not known (NoPods)');
  });

  it.each([
    ['--rate 0', '--rate cannot be "0": it must be a number above 0'],
    ['--rate fast', '--rate cannot be "fast": it must be a number above 0'],
    ['--parallel 0', '--parallel cannot be "0": it must be a number above 0'],
    ['--parallel 1.5', '--parallel cannot be "1.5": it must be a whole number'],
    ['-f dump.yaml', 'there is no flag -f'],
  ])('%s: refused', async (line, message) => {
    const ran = await run(line);
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toContain(message);
  });
});
