import type { Pod } from '../../kubevirt/objects.ts';

export interface Taint {
  readonly key: string;
  readonly effect: string;
  readonly value?: string | undefined;
}

type Toleration = NonNullable<NonNullable<Pod['spec']>['tolerations']>[number];

/** `key=value:effect`, as kubectl writes a taint. */
export function tellTaint({ key, value, effect }: Taint): string {
  return value ? `${key}=${value}:${effect}` : `${key}:${effect}`;
}

/**
 * Whether one of the tolerations covers the taint. An empty effect or key covers all of them; an operator that the
 * scheduler does not know covers nothing (kubernetes staging/src/k8s.io/api/core/v1/toleration.go ToleratesTaint).
 */
export function tolerates(tolerations: readonly Toleration[] | undefined, taint: Taint): boolean {
  return (tolerations ?? []).some((toleration) => covers(toleration, taint));
}

function covers(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  const operator = toleration.operator || 'Equal';
  if (operator === 'Equal') return (toleration.value ?? '') === (taint.value ?? '');
  return operator === 'Exists';
}
