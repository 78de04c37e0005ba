import fc from 'fast-check';
import { dump, load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { BEYOND, readPlainYaml } from './plain-yaml.ts';

/** What js-yaml makes of a text, as JSON; undefined where it refuses. */
function theirs(text: string): string | undefined {
  try {
    return JSON.stringify(load(text, { maxAliases: 0 }));
  } catch {
    return undefined;
  }
}

const ours = (text: string) => {
  const value = readPlainYaml(text);
  return value === BEYOND ? BEYOND : JSON.stringify(value);
};

/** Texts and numbers that YAML could take for something else. */
const tricky = fc.constantFrom(
  ...[
    '',
    ' ',
    'null',
    'Null',
    '~',
    'true',
    'TRUE',
    'yes',
    '.',
    '.inf',
    '-.INF',
    '.nan',
    '0',
    '-0',
    '00',
    '0o17',
    '0x1F',
    '0b1',
  ],
  ...[
    '1_000',
    '1.',
    '.5',
    '1e3',
    '1e',
    '12:30:45',
    '2026-03-01',
    '1.2.3',
    '16Gi',
    '1k',
    '-',
    '-v',
    '- x',
    '--x',
    '?',
    '? x',
    ':',
    ': x',
  ],
  ...[
    'x:',
    'x: y',
    'x #y',
    '#x',
    '&x',
    '*x',
    '!x',
    '|',
    '>',
    '%x',
    '@x',
    '`x',
    '{',
    '{}',
    '[',
    '[]',
    ']',
    ',',
    '"x"',
    "'x'",
    "it's",
  ],
  ...[
    'a\nb',
    'a\n',
    '\na',
    'a\n\nb\n\n',
    ' a\nb',
    'a\n  b\nc\n',
    '#!/bin/sh\nset -e\n',
    'x ',
    ' x',
    '\t',
    'ä',
    '漢',
    '😀',
    '\u0000',
    '\u0085',
    '\ufeff',
  ],
  ...[
    '<<',
    '=',
    '__proto__',
    'constructor',
    'k:{"type":"Ready"}',
    'f:metadata',
    '---',
    '...',
    '--- x',
    'a'.repeat(100),
    'word '.repeat(30),
  ],
);
/** What stands in dumps nearly everywhere, so that many texts are plain. */
const common = fc.oneof(
  fc.constantFrom(
    'virt-launcher',
    'node-1.example.org',
    'kubevirt.io/v1',
    'a b',
    '10.0.0.1',
    'line 1\n  line 2\n',
    'a\nb',
  ),
  fc.integer(),
  fc.boolean(),
);
const odd = fc.oneof(tricky, fc.string(), fc.double(), fc.constant(null));
const scalar = fc.oneof({ arbitrary: common, weight: 12 }, { arbitrary: odd, weight: 1 });
const key = fc.oneof(
  { arbitrary: fc.constantFrom('name', 'f:spec', 'kubevirt.io/x', '.', 'a-b', 'items'), weight: 12 },
  { arbitrary: fc.oneof(tricky, fc.string()), weight: 1 },
);
const value = fc.letrec((tie) => ({
  node: fc.oneof({ maxDepth: 5 }, scalar, tie('mapping'), tie('sequence')),
  mapping: fc.dictionary(key, tie('node'), { maxKeys: 4 }),
  sequence: fc.array(tie('node'), { maxLength: 4 }),
}));
const collection = fc.oneof(value.mapping, value.sequence);
const style = fc.record({
  seqNoIndent: fc.boolean(),
  lineWidth: fc.constantFrom(-1, -1, 20),
  quoteStyle: fc.constantFrom('single' as const, 'double' as const),
  forceQuotes: fc.boolean(),
  noRefs: fc.constant(true),
  indent: fc.constantFrom(1, 2, 4),
});
const written = fc.tuple(collection, style).map(([what, how]) => dump(what, how));

describe('plain YAML', () => {
  it('is what js-yaml makes of it, or beyond', () => {
    fc.assert(
      fc.property(written, (text) => {
        expect([theirs(text), BEYOND]).toContain(ours(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('is so for texts with something wrong in them too', () => {
    const edit = fc.tuple(
      fc.nat(),
      fc.nat(3),
      fc.oneof(tricky, fc.constantFrom(' ', '  ', '\n', ':', '-', "'", '"', '#', '|')),
    );
    const damaged = fc
      .tuple(written, fc.array(edit, { minLength: 1, maxLength: 3 }))
      .map(([text, edits]) => edits.reduce(damage, text));
    fc.assert(
      fc.property(damaged, (text) => {
        expect([theirs(text), BEYOND]).toContain(ours(text));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['a mapping', 'a: 1\nb: x\n', { a: 1, b: 'x' }],
    [
      'items in the column of their key',
      'a:\n- 1\n- b: 2\n  c: 3\nd: e\n',
      { a: [1, { b: 2, c: 3 }], d: 'e' },
    ],
    ['items deeper', 'a:\n  - 1\n  - - 2\n    - 3\n', { a: [1, [2, 3]] }],
    ['nothing', 'a:\nb:\n  c:\n-d: ~x\n', { a: null, b: { c: null }, '-d': '~x' }],
    ['empty items', '-\n- a\n-\n  b: 1\n', [null, 'a', { b: 1 }]],
    [
      'managed fields',
      'f:x:\n  .: {}\n  k:{"type":"Ready"}:\n    f:y: {}\n',
      { 'f:x': { '.': {}, 'k:{"type":"Ready"}': { 'f:y': {} } } },
    ],
    ['quotes', 'a: "x\\n\\u00e4"\nb: \'it\'\'s: #\'\n"c d": []\n', { a: 'x\nä', b: "it's: #", 'c d': [] }],
    [
      'what looks like a number',
      'a: 1.2.3\nb: 16Gi\nc: 2e1x\nd: 02:00:00\n',
      { a: '1.2.3', b: '16Gi', c: '2e1x', d: '02:00:00' },
    ],
    [
      'literal blocks',
      'a: |\n  x\n\n   y\n\nb: |-\n  z\n- |+\n'.replace('- |+\n', 'c: |+\n w\n\n'),
      { a: 'x\n\n y\n', b: 'z', c: 'w\n\n' },
    ],
    ['a literal block in an item', '- |\n  #!/bin/sh\n- a\n', ['#!/bin/sh\n', 'a']],
    ['a marker and empty lines', '---\n\na: 1\n   \nb: 2\n', { a: 1, b: 2 }],
  ])('takes %s', (_what, text, expected) => {
    expect(readPlainYaml(text)).toEqual(expected);
    expect(load(text)).toEqual(expected);
  });

  it.each([
    ['no line end at the end', 'a: 1'],
    ['nothing', '\n'],
    ['a scalar', 'a\n'],
    ['a comment', 'a: 1 # x\n'],
    ['a comment line', '# x\na: 1\n'],
    ['flow style', 'a: {b: 1}\n'],
    ['an anchor', 'a: &x 1\n'],
    ['an alias', 'a: *x\n'],
    ['a tag', 'a: !!str 1\n'],
    ['a folded block', 'a: >\n  x\n'],
    ['a block with an indentation of its own', 'a: |2\n   x\n'],
    ['a block that begins empty', 'a: |\n\n  x\n'],
    ['a text over two lines', 'a: x\n  y\n'],
    ['a quoted text over two lines', 'a: "x\n  y"\n'],
    ['a key twice', 'a: 1\na: 2\n'],
    ['a key that is a number', '1: a\n'],
    ['a key that is no text', 'true: a\n'],
    ['__proto__', '__proto__: a\n'],
    ['a long key', `${'a'.repeat(1001)}: 1\n`],
    ['a number of another form', 'a: 1.5\n'],
    ['a tab', 'a:\t1\n'],
    ['Windows line ends', 'a: 1\r\n'],
    ['a wrong indentation', 'a:\n    b: 1\n  c: 2\n'],
    ['items behind a mapping', 'a: 1\n- b\n'],
    ['deep nesting', Array.from({ length: 200 }, (_, i) => `${' '.repeat(i)}a:\n`).join('')],
  ])('leaves to js-yaml: %s', (_what, text) => {
    expect(readPlainYaml(text)).toBe(BEYOND);
  });
});

function damage(text: string, [seed, cut, by]: readonly [number, number, string]): string {
  const at = seed % (text.length + 1);
  return text.slice(0, at) + by + text.slice(at + cut);
}
