import { describe, expect, it } from 'vitest';
import { prometheusMetrics } from './metrics.ts';

describe('metrics for Prometheus', () => {
  it('count, measure and distribute, by label', async () => {
    const metrics = prometheusMetrics({
      done_total: { help: 'Things done.' },
      size: { help: 'S.', buckets: [1, 2] },
    });
    metrics.count('done_total', { how: 'well' });
    metrics.count('done_total', { how: 'well' }, 4);
    metrics.count('done_total', { how: 'badly' });
    metrics.gauge('depth', 3);
    metrics.gauge('depth', 2);
    metrics.observe('size', 1.5, { of: 'x' });
    metrics.observe('seconds', 0.3);
    const text = await metrics.text();
    for (const line of [
      '# HELP done_total Things done.',
      '# TYPE done_total counter',
      'done_total{how="well"} 5',
      'done_total{how="badly"} 1',
      '# HELP depth depth',
      'depth 2',
      'size_bucket{le="1",of="x"} 0',
      'size_bucket{le="2",of="x"} 1',
      'size_sum{of="x"} 1.5',
      'seconds_bucket{le="0.25"} 0',
      'seconds_bucket{le="0.5"} 1',
    ])
      expect(text.split('\n')).toContain(line);
    expect(text).toContain('process_cpu_seconds_total');
    expect(metrics.contentType).toContain('text/plain');
  });

  it('forget gauges, and nothing else', async () => {
    const metrics = prometheusMetrics();
    metrics.gauge('depth', 3);
    metrics.gauge('held', 2, { reason: 'R' });
    metrics.gauge('kept', 1);
    metrics.count('done_total');
    metrics.forgetGauges(['depth', 'held', 'done_total', 'unknown']);
    const lines = (await metrics.text()).split('\n');
    for (const line of ['depth 0', 'kept 1', 'done_total 1']) expect(lines).toContain(line);
    expect(lines.filter((line) => line.startsWith('held'))).toEqual([]);
  });

  it('of two processes in one do not meet', async () => {
    const [one, two] = [prometheusMetrics(), prometheusMetrics()];
    one.count('a_total');
    expect(await two.text()).not.toContain('a_total');
  });
});
