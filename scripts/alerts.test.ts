import { readdirSync, readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { CONTROLLER_METRIC_FACTS } from '../src/controllers/metric-facts.ts';
import { objectAt, objectsAt } from '../src/kubevirt/json.ts';
import { METRIC_FACTS } from '../src/main/metric-facts.ts';
import { CHART, renderChart } from './manifest-files.ts';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
const { groups } = load(readFileSync(`${CHART}/files/alerts.yaml`, 'utf8')) as {
  groups: { rules: Alert[] }[];
};
const ALERTS = groups.flatMap(({ rules }) => rules);

/** Texts of all nodes of a kind in an expression of Prometheus. */
function nodesOf(expr: string, name: string): string[] {
  const found: string[] = [];
  parser.parse(expr).iterate({
    enter: (node) => {
      if (node.name === name) found.push(expr.slice(node.from, node.to));
    },
  });
  return found;
}

describe.each(ALERTS.map((alert) => [alert.alert, alert] as const))('alert %s', (name, alert) => {
  it('is an expression of Prometheus over metrics that there are', () => {
    expect(nodesOf(alert.expr, '⚠')).toEqual([]);
    const known = ['up', ...Object.keys(METRIC_FACTS), ...Object.keys(CONTROLLER_METRIC_FACTS)];
    const read = nodesOf(alert.expr, 'VectorSelector').map((text) => text.replace(/\{.*/s, ''));
    expect(read.length).toBeGreaterThan(0);
    for (const metric of read) expect(known).toContain(metric.replace(/_bucket$/, ''));
  });

  it('speaks of labels that it has', () => {
    const [grouped = ''] = nodesOf(alert.expr, 'GroupingLabels');
    const told = JSON.stringify(alert.annotations).matchAll(/\$labels\.(\w+)/g);
    for (const [, label = ''] of told) expect(grouped).toContain(label);
    expect(Object.keys(alert.annotations)).toEqual(['summary', 'description']);
    expect(['critical', 'warning', 'info']).toContain(alert.labels.severity);
  });

  it('has a page that says what it means, what it does, and what to do', () => {
    const page = readFileSync(`docs/runbooks/${name}.md`, 'utf8');
    for (const heading of [`# ${name}`, '## Meaning', '## Impact', '## What to do'])
      expect(page).toContain(`${heading}\n`);
  });
});

describe('the alerts', () => {
  it('have series on which each fires, and series on which it does not', () => {
    const { tests } = load(readFileSync('testdata/alerts/alerts.test.yaml', 'utf8')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown }[] }[];
    };
    const expected = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
    for (const { alert } of ALERTS) {
      const own = expected.filter(({ alertname }) => alertname === alert);
      expect([
        alert,
        own.some(({ exp_alerts }) => exp_alerts),
        own.some(({ exp_alerts }) => !exp_alerts),
      ]).toEqual([alert, true, true]);
    }
  });

  it('have no page too many', () => {
    expect(readdirSync('docs/runbooks').sort()).toEqual(ALERTS.map(({ alert }) => `${alert}.md`).sort());
  });

  it('say where their pages are', async () => {
    const base = 'https://example.org/runbooks';
    const flags = ['prometheusRule.enabled=true', `prometheusRule.runbookBaseUrl=${base}`];
    const objects = await renderChart(flags.map((flag) => `--set=monitoring.${flag}`));
    const rule = objects.find(({ kind }) => kind === 'PrometheusRule') ?? {};
    const [group = {}] = objectsAt(objectAt(rule, 'spec'), 'groups');
    const urls = objectsAt(group, 'rules').map((alert) => objectAt(alert, 'annotations').runbook_url);
    expect(urls).toEqual(ALERTS.map(({ alert }) => `${base}/${alert}.md`));
  });
});
