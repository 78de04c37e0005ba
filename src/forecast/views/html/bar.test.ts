import { describe, expect, it } from 'vitest';
import { type Part, segmentsOf, stackedBar } from './bar.ts';

const part = (name: string, count: number): Part => ({ name, count, says: `${count} ${name}` });

describe('segmentsOf', () => {
  it('gives each part its share, in the order given, and fills the bar', () => {
    expect(segmentsOf([part('Blocks', 1), part('Cut', 0), part('LiveMigrates', 3)])).toEqual([
      { ...part('Blocks', 1), start: 0, width: 25 },
      { ...part('LiveMigrates', 3), start: 25, width: 75 },
    ]);
  });

  it('keeps one among thousands wide enough to be seen', () => {
    const segments = segmentsOf([part('Blocks', 1), part('LiveMigrates', 9999)]);
    expect(segments[0]?.width).toBeGreaterThan(1);
    expect(segments.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(100);
  });
});

describe('stackedBar', () => {
  it('says in words what it shows', () => {
    const bar = stackedBar([part('Restarts', 2), part('Cut', 1)], 14, true).html;
    expect(bar).toContain('aria-label="2 Restarts, 1 Cut"');
    expect(bar).toContain('<title>2 Restarts</title>');
  });

  it.each([
    ['Restarts', 'seg-label dark-label'],
    ['warning', 'seg-label dark-label'],
    ['Blocks', 'seg-label'],
  ])('writes onto the colour of %s so that it can be read', (name, letters) => {
    expect(stackedBar([part(name, 7)], 14, true).html).toContain(
      `<text class="${letters}" x="50.000%" y="50%">7</text>`,
    );
  });

  it('writes no count into a narrow part, and none where none is wanted', () => {
    const narrow = [part('Cut', 3), part('Restarts', 97)];
    expect(stackedBar(narrow, 14, true).html.match(/<text/g)).toHaveLength(1);
    expect(stackedBar(narrow, 14, false).html).not.toContain('<text');
    expect(stackedBar([part('Cut', 4), part('Restarts', 96)], 14, true).html.match(/<text/g)).toHaveLength(2);
  });
});
