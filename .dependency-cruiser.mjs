/**
 * The rings of ARCHITECTURE.md. Each folder of `src/` may import what its row names, and itself; nothing else.
 * A new folder needs a row: `rings.test.ts` fails for a folder without one.
 */
const INNER = ['kubevirt', 'decide', 'fleet'];
const ADAPTERS = ['dump', 'kubernetes', 'simulation'];

/** Folder of `src/` → the folders that it may import. */
export const RINGS = {
  kubevirt: [],
  decide: ['kubevirt'],
  fleet: ['kubevirt', 'decide'],
  controllers: INNER,
  dump: INNER,
  kubernetes: [...INNER, 'controllers'],
  simulation: [...INNER, 'controllers'],
  lab: [...INNER, 'controllers', 'kubernetes', 'simulation'],
  scenario: [...INNER, 'controllers', 'simulation'],
  forecast: [...INNER, 'controllers', 'dump', 'scenario', 'simulation'],
  rehearsal: [...INNER, 'controllers', 'dump', 'scenario', 'simulation', 'forecast'],
  admission: [...INNER, ...ADAPTERS, 'controllers', 'forecast'],
  server: [...INNER, ...ADAPTERS, 'controllers', 'forecast'],
  cli: [...INNER, ...ADAPTERS, 'controllers', 'forecast', 'rehearsal'],
  conformance: [...INNER, 'controllers', 'dump', 'simulation', 'forecast'],
};

/** Folders that do no I/O at all. */
export const PURE = ['kubevirt', 'decide', 'fleet', 'forecast'];

const TEST = String.raw`\.test\.ts$`;
/** What only tests use: themselves, builders, and what sets up or describes tests. */
const FOR_TESTS = String.raw`(\.test|/builders|/builders/[a-z-]+|/test-[a-z-]+|/describe-[a-z-]+)\.ts$`;

/** Tests of any ring that run on a real API server, which the lab starts. */
const LAB_TEST = String.raw`\.lab\.test\.ts$`;

/** Ring → what its tests may import besides: a world to run in. */
const WORLDS = { controllers: ['simulation'] };

const rings = Object.entries(RINGS).flatMap(([ring, allowed]) => [
  {
    name: `ring-${ring}`,
    comment: `src/${ring} may import ${allowed.length > 0 ? allowed.join(', ') : 'nothing'} and itself.`,
    severity: 'error',
    from: { path: `^src/${ring}/`, pathNot: WORLDS[ring] ? TEST : LAB_TEST },
    to: { path: '^src/', pathNot: `^src/(${[ring, ...allowed].join('|')})/` },
  },
  {
    name: `lab-tests-of-${ring}`,
    comment: `Tests of src/${ring} on a real API server may import what it may, and the lab.`,
    severity: 'error',
    from: { path: `^src/${ring}/.*${LAB_TEST}` },
    to: { path: '^src/', pathNot: `^src/(${[ring, 'lab', ...allowed].join('|')})/` },
  },
]);

const worlds = Object.entries(WORLDS).map(([ring, world]) => ({
  name: `tests-of-${ring}`,
  comment: `Tests of src/${ring} may import what it may, and the world that they run in.`,
  severity: 'error',
  from: { path: `^src/${ring}/.*${TEST}`, pathNot: LAB_TEST },
  to: { path: '^src/', pathNot: `^src/(${[ring, ...RINGS[ring], ...world].join('|')})/` },
}));

const pure = PURE.map((ring) => ({
  name: `pure-${ring}`,
  comment: `src/${ring} does no I/O: what it needs of the world is an argument.`,
  severity: 'error',
  from: { path: `^src/${ring}/`, pathNot: TEST },
  to: { dependencyTypes: ['core'] },
}));

const others = [
  {
    name: 'no-cycles',
    comment: 'A cycle is one thing in two files, or a thing in the wrong file. Type imports vanish, so they may go round.',
    severity: 'error',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'product-without-tools',
    comment: 'The product imports neither benches nor scripts.',
    severity: 'error',
    from: { path: '^src/' },
    to: { path: '^(bench|scripts)/' },
  },
  {
    name: 'product-without-tests',
    comment: 'Tests and their builders stay out of the product.',
    severity: 'error',
    from: { path: '^src/', pathNot: FOR_TESTS },
    to: { path: `^src/.*${FOR_TESTS}` },
  },
  {
    name: 'declared-packages',
    comment: 'The product runs on the packages under "dependencies" only.',
    severity: 'error',
    from: { path: '^src/', pathNot: FOR_TESTS },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] },
  },
  {
    name: 'resolvable',
    comment: 'Every import finds its file.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
];

export default {
  forbidden: [...rings, ...worlds, ...pure, ...others],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
};
