/** The launcher's eye on a copy: every 400 ms it looks whether the copy gets on, and what to do if not (evacuation-and-migration §7 of the spec). */
import {
  completionTimeoutSeconds,
  copySizeGB,
  hasPassthroughDevice,
  POLL_MILLISECONDS,
  type PollDecision,
  type PollInput,
  pollTable,
} from '../../decide/migration/convergence.ts';
import { resultOf } from '../../decide/rules.ts';
import type { MigrationConfiguration, Vmi } from '../../kubevirt/objects.ts';
import type { Instant } from '../../kubevirt/time.ts';

/** What the launcher remembers of a copy. A value. */
export interface CopyWatch {
  readonly configuration: MigrationConfiguration;
  readonly hasPassthroughDevice: boolean;
  readonly startedAt: Instant;
  readonly mode: string;
  readonly timeoutSeconds: number;
  /** The last look, and the least that was ever left to copy, and when that was. */
  readonly lookedAt: Instant;
  readonly lowestMB: number;
  readonly progressAt: Instant;
}

/** A watch on a copy that starts now. */
export function watchCopy(vmi: Vmi, startedAt: Instant): CopyWatch {
  const configuration = vmi.status?.migrationState?.migrationConfiguration ?? {};
  return {
    configuration,
    hasPassthroughDevice: hasPassthroughDevice(vmi),
    startedAt,
    mode: 'PreCopy',
    timeoutSeconds: completionTimeoutSeconds(configuration, copySizeGB(vmi, 0) ?? 1),
    lookedAt: startedAt,
    lowestMB: Number.POSITIVE_INFINITY,
    progressAt: startedAt,
  };
}

/** The watch after all looks up to an instant; `leftMB` says how much was left to copy at each, undefined that nobody knows. */
export function lookOn(
  watch: CopyWatch,
  until: Instant,
  leftMB: (at: Instant) => number | undefined,
): CopyWatch {
  let { lookedAt, lowestMB, progressAt } = watch;
  for (let at = lookedAt + POLL_MILLISECONDS; at <= until; at += POLL_MILLISECONDS) {
    lookedAt = at;
    const left = leftMB(at);
    if (left !== undefined && left >= lowestMB) continue;
    progressAt = at;
    lowestMB = left ?? lowestMB;
  }
  return { ...watch, lookedAt, lowestMB, progressAt };
}

/** What the launcher does at its last look. */
export function judgeCopy(watch: CopyWatch): PollDecision {
  const input: PollInput = {
    mode: watch.mode,
    elapsedSeconds: (watch.lookedAt - watch.startedAt) / 1000,
    timeoutSeconds: watch.timeoutSeconds,
    stalledSeconds: (watch.lookedAt - watch.progressAt) / 1000,
    configuration: watch.configuration,
    hasPassthroughDevice: watch.hasPassthroughDevice,
  };
  return resultOf(pollTable, input);
}

/** The watch after what was decided, and the mode that the migration is in then. */
export function afterDecision(watch: CopyWatch, decision: PollDecision): CopyWatch {
  if (decision.action === 'StartPostCopy') return { ...watch, mode: 'PostCopy' };
  if (decision.action === 'RaiseDowntime' || decision.action === 'Suspend') {
    return { ...watch, mode: 'Paused', timeoutSeconds: decision.timeoutSeconds };
  }
  return watch;
}

/** The first look at which something else than going on may be decided, if nothing is copied meanwhile; undefined: never. */
export function nextJudgementAt(watch: CopyWatch): Instant | undefined {
  const { mode, timeoutSeconds, startedAt, progressAt, configuration } = watch;
  if (mode === 'PostCopy') return undefined;
  const stall = configuration.progressTimeout ?? 0;
  const limits = [
    ...(timeoutSeconds > 0 ? [startedAt + timeoutSeconds * 1000] : []),
    ...(stall > 0 ? [progressAt + stall * 1000] : []),
  ];
  return limits.length === 0 ? undefined : lookAfter(watch, Math.min(...limits));
}

/** The first look after an instant, for a limit holds while it is not passed, and after the last one. */
function lookAfter({ startedAt, lookedAt }: CopyWatch, limit: Instant): Instant {
  const looks = Math.floor((Math.max(limit, lookedAt) - startedAt) / POLL_MILLISECONDS) + 1;
  return startedAt + looks * POLL_MILLISECONDS;
}
