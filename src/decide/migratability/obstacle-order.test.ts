import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MigratabilityInput } from './input.ts';
import { liveMigratableCondition } from './live-migratable.ts';
import { type Domain, guest, OBSTACLES } from './test-obstacles.ts';

/** Puts two obstacles on one VMI. */
function both(a: MigratabilityInput, b: MigratabilityInput): MigratabilityInput {
  const domain = (input: MigratabilityInput) => input.vmi.spec?.domain;
  return {
    vmi: guest(
      {
        ...domain(a),
        ...domain(b),
        devices: { ...domain(a)?.devices, ...domain(b)?.devices },
        features: { ...domain(a)?.features, ...domain(b)?.features },
      },
      { ...a.vmi.spec, ...b.vmi.spec },
    ),
    configuration: { ...a.configuration, ...b.configuration },
  };
}

describe('the order of the obstacles', () => {
  it('the earlier of two hides the later', () => {
    const distinct = OBSTACLES.filter(
      ([, reason], place) => OBSTACLES.findIndex((o) => o[1] === reason) === place,
    );
    const index = fc.nat({ max: distinct.length - 1 });
    fc.assert(
      fc.property(index, index, (i, j) => {
        const [first, second] = [distinct[Math.min(i, j)], distinct[Math.max(i, j)]];
        if (!first || !second || first[1].startsWith('SEV') || second[1].startsWith('Secure')) return;
        expect(liveMigratableCondition(both(second[4], first[4])).reason).toBe(first[1]);
      }),
    );
  });

  it('SEV comes before TDX, TDX before Secure Execution', () => {
    const on = (launchSecurity: Domain['launchSecurity']) =>
      liveMigratableCondition({ vmi: guest({ launchSecurity }, { architecture: 's390x' }) }).reason;
    expect(on({ sev: {}, tdx: {} })).toBe('SEVNotLiveMigratable');
    expect(on({ tdx: {} })).toBe('TDXNotLiveMigratable');
    expect(on({})).toBe('SecureExecutionNotLiveMigratable');
  });
});
