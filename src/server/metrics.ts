import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Metrics } from '../controllers/ports.ts';

/** What a metric is about, for `# HELP`, and where a histogram's buckets lie. */
export interface MetricFacts {
  readonly help: string;
  readonly buckets?: readonly number[] | undefined;
}

/** Seconds: from a decision on what is at hand to one that waits for a slow API server. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** How often the event loop is looked at. The usual 10 ms cost an idle process more than all its work: 0.2 s of CPU a minute. */
const LOOP_MS = 500;

export interface PrometheusMetrics extends Metrics {
  readonly contentType: string;
  /** Sets gauges back that are of no meaning any more: those with labels go, others are 0. */
  forgetGauges(names: readonly string[]): void;
  /** All metrics in Prometheus' text format, those of the process included. */
  text(): Promise<string>;
}

type Labels = Readonly<Record<string, string>>;

/** Metrics for Prometheus to fetch. `facts` tells what each is about; one that it does not name has its name for a help. */
export function prometheusMetrics(facts: Readonly<Record<string, MetricFacts>> = {}): PrometheusMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_MS });
  const held = new Map<string, Counter | Gauge | Histogram>();
  const metricOf = <M extends Counter | Gauge | Histogram>(name: string, make: () => M): M => {
    const metric = (held.get(name) as M | undefined) ?? make();
    held.set(name, metric);
    return metric;
  };
  const common = (name: string, labels: Labels) => ({
    name,
    help: facts[name]?.help ?? name,
    labelNames: Object.keys(labels),
    registers: [registry],
  });
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    count: (name, labels = {}, by = 1) =>
      metricOf(name, () => new Counter(common(name, labels))).inc({ ...labels }, by),
    gauge: (name, value, labels = {}) =>
      metricOf(name, () => new Gauge(common(name, labels))).set({ ...labels }, value),
    forgetGauges: (names) => {
      for (const name of names) {
        const metric = held.get(name);
        if (metric instanceof Gauge) metric.reset();
      }
    },
    observe: (name, value, labels = {}) =>
      metricOf(name, () => {
        const buckets = [...(facts[name]?.buckets ?? BUCKETS)];
        return new Histogram({ ...common(name, labels), buckets });
      }).observe({ ...labels }, value),
  };
}
