import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runHelm } from '../src/lab/helm.ts';
import { CHART } from './manifest-files.ts';

it.each([
  ['guard.enabled=maybe', '/guard/enabled'],
  ['guard.replica=3', "additional properties 'replica' not allowed"],
  ['guard.replicas=-1', '/guard/replicas'],
  ['guard.defaultStrategies={Migrate}', '/guard/defaultStrategies/0'],
  ['guard.extraArgs={verbose}', '/guard/extraArgs/0'],
  ['controller.strategy.from=file', '/controller/strategy/from'],
  ['controller.strategy.workloadUpdateMethods={Migrate}', '/controller/strategy/workloadUpdateMethods/0'],
  ['controller.strategy.batchEvictionSize=0', '/controller/strategy/batchEvictionSize'],
  ['controller.strategy.batchEvictionInterval=soon', '/controller/strategy/batchEvictionInterval'],
  ['controller.behavior=wild', '/controller/behavior'],
  ['image.pullPolicy=Sometimes', '/image/pullPolicy'],
  ['image.digest=latest', '/image/digest'],
  ['logLevel=loud', '/logLevel'],
  ['certificates.source=letsencrypt', '/certificates/source'],
  ['certificates.source=cert-manager', '/certificates/issuer/name'],
  ['certificates.caBundle=secret', '/certificates/caBundle'],
  ['networkPolicy.apiServerPorts={0}', '/networkPolicy/apiServerPorts/0'],
  ['networkPolicy.apiServerCidrs={10.0.0.1}', '/networkPolicy/apiServerCidrs/0'],
  ['monitoring.serviceMonitor.interval=often', '/monitoring/serviceMonitor/interval'],
  ['monitoring.prometheusRule.runbookBaseUrl=http://x/', '/monitoring/prometheusRule/runbookBaseUrl'],
  ['gard.enabled=true', "additional properties 'gard' not allowed"],
])('the schema of the values refuses %s', async (value, where) => {
  const { code, stderr } = await runHelm(['template', 'drover', CHART, `--set=${value}`]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(where)]);
});

interface Schema {
  readonly description?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

it('the schema of the values tells an editor what each value means', () => {
  const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as Schema & {
    readonly $defs: Readonly<Record<string, Schema>>;
  };
  const silentIn = ({ properties = {} }: Schema, path = ''): string[] =>
    Object.entries(properties).flatMap(([name, property]) => {
      const { description } = schema.$defs[property.$ref?.split('/').at(-1) ?? ''] ?? property;
      return [...(description ? [] : [`${path}/${name}`]), ...silentIn(property, `${path}/${name}`)];
    });
  expect(silentIn(schema)).toEqual([]);
});
