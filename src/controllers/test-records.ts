import type { Log, LogLevel, Metrics } from './ports.ts';

interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

/** A log that a test can read. */
export function recordLog(): Log & { readonly entries: readonly LogEntry[] } {
  const entries: LogEntry[] = [];
  return { entries, write: (level, message, fields) => void entries.push({ level, message, fields }) };
}

/** Metrics that a test can read; labels are written `controller=test,result=error`, by name. */
export function recordMetrics() {
  const values = new Map<string, number>();
  const observations = new Map<string, number[]>();
  const metrics: Metrics = {
    count: (name, labels, by = 1) => {
      const series = seriesOf(name, labels);
      values.set(series, (values.get(series) ?? 0) + by);
    },
    gauge: (name, value, labels) => void values.set(seriesOf(name, labels), value),
    observe: (name, value, labels) => {
      const series = seriesOf(name, labels);
      observations.set(series, [...(observations.get(series) ?? []), value]);
    },
  };
  return {
    metrics,
    metric: (name: string, labels = '') => values.get(`${name}{${labels}}`),
    observed: (name: string, labels = '') => observations.get(`${name}{${labels}}`) ?? [],
    names: () => [...new Set([...values.keys(), ...observations.keys()].map((s) => s.split('{')[0] ?? ''))],
  };
}

function seriesOf(name: string, labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).map((pair) => pair.join('='));
  return `${name}{${pairs.sort().join(',')}}`;
}
