import { expect, it } from 'vitest';
import { anExplanation } from '../builders.ts';
import { PLAIN } from '../options.ts';
import { explainTableView } from './explain.ts';
import { explainNameView, explainRowsView } from './rows.ts';

const ROWS = [
  'shop/db-0  upgrade   LiveMigrates  LauncherOutdated   has an outdated launcher and live-migrates',
  'shop/db-0  drain n1  Blocks        NotLiveMigratable  refuses eviction: strategy LiveMigrate, but it cannot migrate',
  'shop/db-0  eviction  Blocks        NotLiveMigratable  refuses eviction: strategy LiveMigrate, but it cannot migrate',
];

it('there is one line for each occasion, whatever the width', () => {
  expect(explainRowsView([anExplanation()], { ...PLAIN, width: 60 })).toBe(`${ROWS.join('\n')}\n`);
  expect(explainTableView([anExplanation()], { ...PLAIN, headers: false })).toBe(`${ROWS.join('\n')}\n`);
  expect(explainRowsView([anExplanation(), anExplanation('a/b')], PLAIN).split('\n')).toHaveLength(7);
});

it('outcomes are coloured on request', () => {
  expect(explainRowsView([anExplanation()], { ...PLAIN, colour: true })).toContain(
    '\u001b[31mBlocks\u001b[0m',
  );
});

it('a name is followed by what a shell takes for a comment', () => {
  expect(explainNameView([anExplanation(), { vm: 'a/b\u001b', forecasts: [] }])).toBe(
    'virtualmachineinstance/shop/db-0  # upgrade LiveMigrates, drain n1 Blocks, eviction Blocks\n' +
      'virtualmachineinstance/a/b\\u{1b}\n',
  );
});

it('the table has every forecast of every VM', () => {
  const text = explainTableView([anExplanation(), anExplanation('a/b')], PLAIN);
  expect(text.match(/^── .*$/gm)).toEqual(
    ['upgrade', 'drain', 'evict', 'upgrade', 'drain', 'evict'].map((action) => `── ${action} · 1 VM`),
  );
  expect(text).toContain('✗ a/b on n1: Blocks (NotLiveMigratable)');
});

it('wide tells all that every rule read, and where each comes from', () => {
  const [narrow, wide] = [false, true].map((isWide) => explainTableView([anExplanation()], PLAIN, isWide));
  expect(narrow).toContain(
    '   ✗ NotALauncherPod: the pod is not a launcher pod (metadata.labels[kubevirt.io] = virt-launcher)\n   ✓',
  );
  expect(wide).toContain(
    [
      '   ✗ NotALauncherPod: the pod is not a launcher pod',
      '       Pod shop/virt-launcher-db-0-x',
      '         metadata.labels[kubevirt.io]  virt-launcher',
      '       rule from kubevirt v1.9.0 pkg/a.go:10',
      '   ✓ NotLiveMigratable: the strategy is LiveMigrate and the VMI cannot migrate',
    ].join('\n'),
  );
  expect(wide).toContain('       this decides; rule from kubevirt v1.9.0 pkg/a.go:20\n');
});
