import type { JsonObject } from '../src/kubevirt/json.ts';

const OTHERS = [
  ['ServiceMonitor', 'servicemonitors', 'monitoring.coreos.com'],
  ['PrometheusRule', 'prometheusrules', 'monitoring.coreos.com'],
  ['Certificate', 'certificates', 'cert-manager.io'],
] as const;

/** Kinds of others that are shipped for, each as small as it can be. */
export function othersCrds(): readonly JsonObject[] {
  return OTHERS.map(([kind, plural, group]) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }));
}
