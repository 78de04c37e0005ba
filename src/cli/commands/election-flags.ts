import { DroverError } from '../errors.ts';
import { durationSeconds, text } from '../parsers.ts';
import type { LeaderElection } from '../services.ts';

/** As the components of Kubernetes have them. */
export interface ElectionFlags {
  readonly leaderElect: boolean;
  readonly leaderElectLeaseDuration: number;
  readonly leaderElectRenewDeadline: number;
  readonly leaderElectRetryPeriod: number;
  readonly leaderElectResourceNamespace: string;
  readonly leaderElectResourceName: string;
}

export const electionFlags = {
  leaderElect: {
    kind: 'boolean',
    default: true,
    brief:
      'Act without being the leader, for a process that is the only one; the Lease then only holds the time of the last eviction batch',
  },
  leaderElectLeaseDuration: {
    kind: 'parsed',
    parse: durationSeconds,
    default: '15s',
    placeholder: 'duration',
    brief: 'How long others wait for a leader that is silent',
  },
  leaderElectRenewDeadline: {
    kind: 'parsed',
    parse: durationSeconds,
    default: '10s',
    placeholder: 'duration',
    brief: 'How long the leader tries to renew before it takes itself for no leader any more',
  },
  leaderElectRetryPeriod: {
    kind: 'parsed',
    parse: durationSeconds,
    default: '2s',
    placeholder: 'duration',
    brief: 'How often the lead is renewed, and tried for',
  },
  leaderElectResourceNamespace: {
    kind: 'parsed',
    parse: text,
    default: 'drover-system',
    placeholder: 'name',
    brief: 'Namespace of the Lease',
  },
  leaderElectResourceName: {
    kind: 'parsed',
    parse: text,
    default: 'drover-controller',
    placeholder: 'name',
    brief: 'Name of the Lease',
  },
} as const;

/** client-go's factor between tries. */
const JITTER = 1.2;

/** Throws where the times are such that two could lead at once, by client-go's rules. */
export function electionOf(flags: ElectionFlags): LeaderElection {
  const {
    leaderElectLeaseDuration: leaseDurationSeconds,
    leaderElectRenewDeadline: renewDeadlineSeconds,
    leaderElectRetryPeriod: retryPeriodSeconds,
  } = flags;
  if (!Number.isInteger(leaseDurationSeconds))
    throw wrong('--leader-elect-lease-duration must be whole seconds, as a Lease has no others');
  if (leaseDurationSeconds <= renewDeadlineSeconds)
    throw wrong('--leader-elect-lease-duration must be longer than --leader-elect-renew-deadline');
  if (retryPeriodSeconds === 0 || renewDeadlineSeconds <= JITTER * retryPeriodSeconds)
    throw wrong(
      `--leader-elect-renew-deadline must be longer than ${JITTER} times --leader-elect-retry-period, which must be above 0`,
    );
  const times = { leaseDurationSeconds, renewDeadlineSeconds, retryPeriodSeconds };
  const {
    leaderElect: enabled,
    leaderElectResourceNamespace: namespace,
    leaderElectResourceName: name,
  } = flags;
  return { enabled, namespace, name, ...times };
}

function wrong(message: string): DroverError {
  return new DroverError('WrongFlags', message);
}
