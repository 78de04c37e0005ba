/** Lists of conditions as KubeVirt's condition managers keep them. */
import type { Condition } from '../../kubevirt/objects.ts';
import { extended } from '../../kubevirt/shapes.ts';
import { formatInstant, type Instant } from '../../kubevirt/time.ts';

type Conditions = readonly Condition[];

/** Whether two conditions of a type say the same, whenever they changed. */
export function saysTheSame(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status && (a.reason ?? '') === (b.reason ?? '') && (a.message ?? '') === (b.message ?? '')
  );
}

/**
 * With a condition in the place of the one of its type, else at the end; the same list where it says the same already. A condition that
 * does not say when it changed has changed at `now`, where that is given.
 */
export function withCondition(conditions: Conditions, condition: Condition, now?: Instant): Conditions {
  const place = conditions.findIndex(({ type }) => type === condition.type);
  const held = conditions[place];
  if (held && saysTheSame(held, condition)) return conditions;
  const dated =
    now === undefined || condition.lastTransitionTime !== undefined
      ? condition
      : extended(condition, { lastTransitionTime: formatInstant(now) });
  return held ? conditions.with(place, dated) : [...conditions, dated];
}

/** Without the conditions of a type; the same list where there is none. */
export function withoutCondition(conditions: Conditions, type: string): Conditions {
  return conditions.some((condition) => condition.type === type)
    ? conditions.filter((condition) => condition.type !== type)
    : conditions;
}

/** With the condition, or without one of its type. */
export function withOrWithout(
  conditions: Conditions,
  type: string,
  condition: Condition | undefined,
  now?: Instant,
): Conditions {
  return condition ? withCondition(conditions, condition, now) : withoutCondition(conditions, type);
}
