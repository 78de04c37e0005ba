import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PURE, RINGS } from '../../.dependency-cruiser.mjs';

/** A house without furniture: the configuration of this one and an empty file in each ring, to plant violations in. */
const house = mkdtempSync(join(tmpdir(), 'drover-rings-'));
const folders = [...Object.keys(RINGS), 'main'];

function put(path: string, text: string): void {
  mkdirSync(dirname(join(house, path)), { recursive: true });
  writeFileSync(join(house, path), text);
}

/** Runs a tool of the house there and gives what it says. */
function run(tool: string, args: readonly string[]): { status: number | null; said: string } {
  const env = { ...process.env, NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(join('node_modules', '.bin', tool), args, {
    cwd: house,
    encoding: 'utf8',
    env,
  });
  return { status, said: stdout + stderr };
}

function cruise(): ReturnType<typeof run> {
  return run('depcruise', ['--config', '.dependency-cruiser.mjs', 'src', 'bench', 'scripts']);
}

beforeAll(() => {
  for (const file of ['.dependency-cruiser.mjs', '.biome', 'biome.json', 'tsconfig.json', 'package.json']) {
    cpSync(file, join(house, file), { recursive: true });
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(house, 'node_modules'));
  for (const folder of folders) put(`src/${folder}/empty.ts`, 'export const nothing = 0;\n');
  put('src/decide/empty.test.ts', 'export const nothing = 0;\n');
  put('bench/empty.ts', 'export const nothing = 0;\n');
  put('scripts/empty.ts', 'export const nothing = 0;\n');
});

afterAll(() => rmSync(house, { recursive: true, force: true }));

it('every folder of src has its row', () => {
  const here = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders).toEqual(expect.arrayContaining(here.map(({ name }) => name)));
});

describe('dependency-cruiser', () => {
  /** Rule → a file that breaks it. All are planted at once: one run of the tool shows them all. */
  const outward = Object.entries(RINGS).map(([ring, allowed]) => {
    const forbidden = folders.find((other) => other !== ring && !allowed.includes(other));
    return [
      `ring-${ring}`,
      `src/${ring}/planted-outward.ts`,
      `import '../${forbidden}/empty.ts';\n`,
    ] as const;
  });
  const typed = [
    'ring-decide',
    'src/decide/planted-type.ts',
    "export type { nothing } from '../fleet/empty.ts';\n",
  ] as const;
  const impure = PURE.map(
    (ring) => [`pure-${ring}`, `src/${ring}/planted-impure.ts`, "import 'node:fs';\n"] as const,
  );
  const lazy = [
    'pure-decide',
    'src/decide/planted-lazy.ts',
    "export const fs = () => import('node:fs');\n",
  ] as const;
  const ofLab = [
    'lab-tests-of-decide',
    'src/decide/planted.lab.test.ts',
    "import '../lab/empty.ts';\nimport '../fleet/empty.ts';\n",
  ] as const;
  const others = [
    [
      'tests-of-controllers',
      'src/controllers/planted-world.test.ts',
      "import '../simulation/empty.ts';\nimport '../kubernetes/empty.ts';\n",
    ],
    ['no-cycles', 'src/main/planted-cycle-2.ts', "import './planted-cycle.ts';\n"],
    ['product-without-tools', 'src/main/planted-bench.ts', "import '../../bench/empty.ts';\n"],
    ['product-without-tools', 'src/main/planted-script.ts', "import '../../scripts/empty.ts';\n"],
    ['product-without-tests', 'src/main/planted-test.ts', "import '../decide/empty.test.ts';\n"],
    ['declared-packages', 'src/main/planted-package.ts', "import 'vitest';\n"],
    ['resolvable', 'src/main/planted-nowhere.ts', "import './nowhere.ts';\n"],
  ] as const;
  const planted = [...outward, typed, ...impure, lazy, ofLab, ...others];
  let said = '';

  it('has nothing to say about an empty house', () => {
    expect(cruise()).toMatchObject({ status: 0 });
  });

  it('fails on the planted violations', () => {
    for (const [, path, text] of planted) put(path, text);
    put('src/main/planted-cycle.ts', "import './planted-cycle-2.ts';\n");
    const result = cruise();
    said = result.said;
    expect(result.status).not.toBe(0);
  });

  it('lets the lab into tests that run on it', () => {
    expect(said).not.toContain('src/decide/planted.lab.test.ts → src/lab/empty.ts');
  });

  it.each(planted)('%s catches %s', (rule, path) => {
    expect(said).toMatch(new RegExp(`error ${rule}: ${path.replaceAll('.', '\\.')}`));
  });
});

describe('Biome', () => {
  const restricted = [
    'Date.now()',
    'performance.now()',
    'setTimeout(f)',
    'setInterval(f)',
    'setImmediate(f)',
  ];
  const worldly = ['crypto.randomUUID()', 'process.exit()', 'console.log(f)', "fetch('x')", 'globalThis.f'];
  const chance = ['Math.random()', "Math['random']()"];
  const inner = ['kubevirt', 'decide', 'fleet', 'controllers', 'simulation', 'forecast'];
  const all = [...restricted, ...worldly, ...chance];

  it.each(inner)('catches each restriction in src/%s', (ring) => {
    all.forEach((expression, i) => {
      put(`src/${ring}/planted-${i}.ts`, `export const f = (): unknown => {\n  return ${expression};\n};\n`);
    });
    const { said } = run('biome', ['lint', '--colors=off', '--max-diagnostics=none', `src/${ring}`]);
    for (const [i, expression] of all.entries()) {
      const rule = expression.startsWith('Math') ? 'plugin' : 'lint/style/noRestrictedGlobals';
      expect(said, expression).toContain(`src/${ring}/planted-${i}.ts:2:`);
      expect(said, expression).toContain(rule);
    }
  });

  it('leaves tests and outer rings alone', () => {
    put('src/decide/free.test.ts', 'export const f = (): number => Math.random() + Date.now();\n');
    put('src/cli/free.ts', 'export const f = (): number => Math.random() + Date.now();\n');
    const { status, said } = run('biome', [
      'lint',
      '--colors=off',
      'src/decide/free.test.ts',
      'src/cli/free.ts',
    ]);
    expect(said).toContain('No fixes applied');
    expect(status).toBe(0);
  });
});
