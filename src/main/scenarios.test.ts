import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, describe, expect, it } from 'vitest';
import { clusterObjects } from '../scenario/cluster.ts';
import { type Scenario, scenarioSchema } from '../scenario/schema.ts';
import { askDrover } from './ask.ts';
import { simulate } from './simulate.ts';

const FOLDER = 'scenarios';
const temporary = mkdtempSync(join(tmpdir(), 'drover-scenarios-'));
afterAll(() => rmSync(temporary, { recursive: true }));

function readScenario(name: string): Scenario {
  return scenarioSchema.parse(load(readFileSync(join(FOLDER, name, 'scenario.yaml'), 'utf8')));
}

/** `npx vitest run src/main/scenarios.test.ts -u` writes the golden answers anew. */
const names = readdirSync(FOLDER);

it.each(names.filter((name) => readScenario(name).expect))(
  'scenario %s comes as it expects',
  async (name) => {
    const file = join(FOLDER, name, 'scenario.yaml');
    const { status } = await simulate({ file, snapshot: [], runs: 1 });
    expect(status.failures).toEqual([]);
  },
);

it('the example of docs/concepts/simulation.md comes as it expects', async () => {
  const page = readFileSync('docs/concepts/simulation.md', 'utf8');
  const file = join(temporary, 'example.yaml');
  writeFileSync(file, /```yaml\n(.*?)```/s.exec(page)?.[1] ?? '');
  const { status } = await simulate({ file, snapshot: [], runs: 1 });
  expect([status.vms.length, status.failures]).toEqual([2, []]);
});

describe.each(names.filter((name) => readScenario(name).asks.length > 0))('scenario %s', (name) => {
  const scenario = readScenario(name);
  const dump = join(temporary, `${name}.json`);
  writeFileSync(
    dump,
    JSON.stringify({ kind: 'List', apiVersion: 'v1', items: clusterObjects(scenario.cluster) }),
  );

  it.each(scenario.asks.map((asked, index) => ({ ...asked, index })))(
    '$index: $ask',
    async ({ ask, expect: expected, says, index }) => {
      const forecast = await askDrover(ask.split(/\s+/), dump);
      const outcomes = Object.fromEntries(forecast.status.vms.map((vm) => [vm.name, vm.outcome]));
      expect(outcomes).toEqual(expected);
      const told = JSON.stringify(forecast);
      for (const text of says ?? []) expect(told).toContain(JSON.stringify(text).slice(1, -1));
      const { kind: _, apiVersion: __, ...answer } = forecast;
      await expect(`${JSON.stringify(answer, null, 2)}\n`).toMatchFileSnapshot(
        `../../${FOLDER}/${name}/expected-${index}.json`,
      );
    },
  );
});
