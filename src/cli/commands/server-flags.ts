import type { Behavior } from '../../decide/rules.ts';
import { inputFlags } from '../flags.ts';
import { portNumber, text } from '../parsers.ts';
import { LOG_LEVELS, type WebhookRequest } from '../services.ts';

/** Of the commands that stay and serve: where they listen, the cluster that they act on, and what they log. */
export interface ServerFlags {
  readonly bindAddress: string;
  readonly metricsPort: number;
  readonly logLevel: WebhookRequest['logLevel'];
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly behavior: Behavior;
}

export const serverFlags = {
  bindAddress: {
    kind: 'parsed',
    parse: text,
    default: '0.0.0.0',
    placeholder: 'address',
    brief: 'Where to listen',
  },
  metricsPort: {
    kind: 'parsed',
    parse: portNumber,
    default: '8080',
    placeholder: 'port',
    brief: 'For /healthz, /readyz and /metrics',
  },
  logLevel: {
    kind: 'enum',
    values: LOG_LEVELS,
    default: 'info',
    placeholder: 'level',
    brief: 'The least that is logged',
  },
  context: inputFlags.context,
  kubeconfig: {
    ...inputFlags.kubeconfig,
    brief: "The kubeconfig of the cluster; as kubectl finds it, or the pod's own, if not given",
  },
  behavior: { ...inputFlags.behavior, default: 'intended' },
} as const;
