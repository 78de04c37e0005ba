import type { ExternalController } from '../decide/external/external-input.ts';
import type { Behavior } from '../decide/rules.ts';
import type { KubeVirtVersion } from '../decide/versions.ts';
import { OUTCOMES, type Outcome } from '../forecast/forecast.ts';
import type { Setting } from '../forecast/questions.ts';
import { SORT_KEYS, type SortKey } from '../forecast/views/order.ts';
import type { LabelSelector } from '../kubevirt/objects.ts';
import type { Instant } from '../kubevirt/time.ts';
import {
  durationSeconds,
  instant,
  kubevirtVersion,
  paceSetting,
  runCount,
  selector,
  text,
} from './parsers.ts';

export const OUTPUTS = ['table', 'wide', 'name', 'json', 'yaml', 'markdown', 'html'] as const;
export type Output = (typeof OUTPUTS)[number];

const FAIL_ON = [...OUTCOMES, 'never'] as const;
export type FailOn = Outcome | 'never';

/** Where the cluster comes from, and how to read it. */
export interface InputFlags {
  readonly filename?: readonly string[];
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly requestTimeout?: number;
  readonly kubevirtVersion?: KubeVirtVersion;
  readonly behavior: Behavior;
  readonly at?: Instant;
}

/** Which VMs are shown and counted. */
export interface ScopeFlags {
  readonly namespace?: string;
  readonly allNamespaces: boolean;
  readonly selector?: LabelSelector;
}

export interface ViewFlags {
  readonly output: Output;
  readonly sortBy: SortKey;
  readonly headers: boolean;
}

export interface GateFlags {
  readonly failOn: FailOn;
}

export type PlanFlags = InputFlags & ScopeFlags & ViewFlags & GateFlags;

export const inputFlags = {
  filename: {
    kind: 'parsed',
    parse: text,
    optional: true,
    variadic: true,
    placeholder: 'file|dir|-',
    brief:
      'What `kubectl get -o yaml|json` wrote: a file, a folder of files, or - for stdin; may be repeated',
  },
  context: {
    kind: 'parsed',
    parse: text,
    optional: true,
    placeholder: 'name',
    brief: 'Context of the kubeconfig; the current one if not given',
  },
  kubeconfig: {
    kind: 'parsed',
    parse: text,
    optional: true,
    placeholder: 'file',
    brief: 'The kubeconfig of the cluster to read; as kubectl finds it if not given',
  },
  requestTimeout: {
    kind: 'parsed',
    parse: durationSeconds,
    optional: true,
    placeholder: 'duration',
    brief: 'Limit of one request to the cluster; 30s if not given',
  },
  kubevirtVersion: {
    kind: 'parsed',
    parse: kubevirtVersion,
    optional: true,
    placeholder: 'version',
    brief: "Behave as this KubeVirt version, whatever the input's KubeVirt object says",
  },
  behavior: {
    kind: 'enum',
    values: ['exact', 'intended'],
    placeholder: 'which',
    default: 'exact',
    brief: 'KubeVirt with its known defects (exact) or without them (intended)',
  },
  at: {
    kind: 'parsed',
    parse: instant,
    optional: true,
    placeholder: 'time',
    brief: 'When the input was taken, RFC 3339; what the input says, else now, if not given',
  },
} as const;

export const scopeFlags = {
  namespace: {
    kind: 'parsed',
    parse: text,
    optional: true,
    placeholder: 'name',
    brief: 'Show and count VMs of this namespace only; all namespaces if not given',
  },
  allNamespaces: {
    kind: 'boolean',
    default: false,
    brief: 'Show and count VMs of all namespaces; so it is without -n, too',
  },
  selector: {
    kind: 'parsed',
    parse: selector,
    optional: true,
    placeholder: 'labels',
    brief: 'Show and count VMs with these labels only, on the VM, its VMI or its launcher pod',
  },
} as const;

export const viewFlags = {
  output: {
    kind: 'enum',
    placeholder: 'form',
    values: OUTPUTS,
    default: 'table',
    brief: 'Form of the answer',
  },
  sortBy: {
    kind: 'enum',
    placeholder: 'key',
    values: SORT_KEYS,
    default: 'outcome',
    brief: 'Order of the VMs, ties worst first; json and yaml keep to namespace and name',
  },
  headers: {
    kind: 'boolean',
    default: true,
    brief: 'Bare rows for scripts, without the answer and the headings',
  },
} as const;

export const gateFlags = {
  failOn: {
    kind: 'enum',
    placeholder: 'outcome',
    values: FAIL_ON,
    default: 'Restarts',
    brief:
      'Exit with 1 when a VM has this outcome or a worse one (plan config: now or because of the change later)',
  },
} as const;

export const DEFAULT_RUNS = 5;

/** For the plans that can be played. */
export const timeFlags = {
  time: {
    kind: 'boolean',
    default: false,
    brief:
      'Play it in a simulated cluster, and say when each VM is concerned, for how long, and what holds it up',
  },
  runs: {
    kind: 'parsed',
    parse: runCount,
    optional: true,
    placeholder: 'number',
    brief: `With --time: so many courses, which differ in what chance decides; ${DEFAULT_RUNS} if not given`,
  },
  whatIf: {
    kind: 'parsed',
    parse: paceSetting,
    optional: true,
    variadic: true,
    placeholder: 'name=value',
    brief:
      'With --time: the same with another setting of the KubeVirt object, as in parallelOutboundMigrationsPerNode=4 or batchEvictionSize=20; may be repeated',
  },
} as const;

export interface TimeFlags {
  readonly time: boolean;
  readonly runs?: number;
  readonly whatIf?: readonly Setting[];
}

const EXTERNAL: readonly ExternalController[] = ['unknown', 'none', 'capk-v0.1.10', 'capk-backport'];

/** For the plans that drain. */
export const externalFlags = {
  external: {
    kind: 'enum',
    placeholder: 'controller',
    values: EXTERNAL,
    default: 'unknown',
    brief: 'Which controller acts on VMs with strategy External',
  },
} as const;

export interface ExternalFlags {
  readonly external: ExternalController;
}

export const planFlags = { ...inputFlags, ...scopeFlags, ...viewFlags, ...gateFlags } as const;

const inputAliases = { f: 'filename' } as const;
export const scopeAliases = { n: 'namespace', A: 'allNamespaces', l: 'selector' } as const;
const viewAliases = { o: 'output' } as const;
export const planAliases = { ...inputAliases, ...scopeAliases, ...viewAliases } as const;
