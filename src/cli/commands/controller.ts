import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { DroverError } from '../errors.ts';
import { durationSeconds, someOf, text } from '../parsers.ts';
import { CONTROLLERS, type ControllerName, type ControllerRequest } from '../services.ts';
import { type ElectionFlags, electionFlags, electionOf } from './election-flags.ts';
import { type ServerFlags, serverFlags } from './server-flags.ts';
import { placeOf, type StrategyFlags, strategyFlags } from './strategy-flags.ts';

interface Flags extends ServerFlags, ElectionFlags, StrategyFlags {
  readonly controllers?: readonly ControllerName[];
  readonly launcherImage?: string;
  readonly dryRun: boolean;
  readonly journal?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly metricsAuth: boolean;
  readonly diagnostics: boolean;
  readonly requestTimeout: number;
}

export const controller = buildCommand<Flags, [], CliContext>({
  docs: {
    brief: 'Moves VMs to a new launcher and off drained nodes, on a live cluster',
    fullDescription: [
      "Runs KubeVirt's workload-update and evacuation controllers. One of several processes acts, the leader.",
      '',
      "On a control plane without virt-controller it goes by the strategy in the KubeVirt CR. Beside a virt-controller, empty the CR's " +
        'workloadUpdateMethods, so that KubeVirt does nothing more, and give Drover its own strategy, by a file or a ConfigMap:',
      '  workloadUpdateMethods: [LiveMigrate, Evict]',
      '  batchEvictionSize: 10',
      '  batchEvictionInterval: 1m',
      'It then drives live updates (CPU, memory, network, volumes) too. Two drivers of one cluster are refused.',
      '',
      'Serves /healthz, /readyz and /metrics. Ends on SIGTERM or SIGINT, when writes in flight are done and the lead is given up.',
    ].join('\n'),
  },
  parameters: {
    flags: {
      controllers: {
        kind: 'parsed',
        parse: someOf(CONTROLLERS),
        optional: true,
        placeholder: 'name,...',
        brief: `Which to run, of ${CONTROLLERS.join(' and ')}; both if not given, without evacuation where the strategy is Drover's own, since virt-controller evacuates`,
      },
      strategyFromFile: {
        ...strategyFlags.strategyFromFile,
        brief: "Drover's own strategy, YAML; read again when it changes",
      },
      strategyFromConfigmap: {
        ...strategyFlags.strategyFromConfigmap,
        brief: "Drover's own strategy, under the key strategy.yaml; read again when it changes",
      },
      launcherImage: {
        kind: 'parsed',
        parse: text,
        optional: true,
        placeholder: 'image',
        brief: 'The image that launchers are to run; what the arguments of virt-controller say if not given',
      },
      dryRun: {
        kind: 'boolean',
        default: false,
        brief:
          'Send every write as a dry run, record no events, lead nothing, and write the journal to stdout: shows what would be done first',
      },
      journal: {
        kind: 'parsed',
        parse: text,
        optional: true,
        placeholder: 'file|-',
        brief: 'Write each decision with its reason and evidence as a line of JSON; - for stdout',
      },
      bindAddress: serverFlags.bindAddress,
      metricsPort: serverFlags.metricsPort,
      tlsCert: {
        kind: 'parsed',
        parse: text,
        optional: true,
        placeholder: 'file',
        brief: 'Serve these by HTTPS with this certificate, PEM; read again when it changes',
      },
      tlsKey: { kind: 'parsed', parse: text, optional: true, placeholder: 'file', brief: 'Its key, PEM' },
      metricsAuth: {
        kind: 'boolean',
        default: false,
        brief:
          'Show metrics and diagnostics to those only whose bearer token may get the path as a non-resource URL; needs the rights of system:auth-delegator',
      },
      diagnostics: {
        kind: 'boolean',
        default: false,
        brief: 'Serve /debug/profile, /debug/heap and /debug/memory too; a heap holds secrets',
      },
      logLevel: {
        ...serverFlags.logLevel,
        brief: 'The least that is logged; what was done is info, what was refused is debug',
      },
      ...electionFlags,
      context: serverFlags.context,
      kubeconfig: serverFlags.kubeconfig,
      requestTimeout: {
        kind: 'parsed',
        parse: requestTimeoutSeconds,
        default: '30s',
        placeholder: 'duration',
        brief: 'Limit of one request to the cluster; 30s at most',
      },
      behavior: serverFlags.behavior,
    },
  },
  func(flags) {
    return this.services.controller(requestOf(flags));
  },
});

/** What is claimed of a batch lasts twice as long, so that a late answer never comes after the claim. */
const LONGEST_REQUEST_SECONDS = 30;

function requestTimeoutSeconds(written: string): number {
  const seconds = durationSeconds(written);
  if (seconds === 0 || seconds > LONGEST_REQUEST_SECONDS)
    throw new Error(`it must be above 0 and at most ${LONGEST_REQUEST_SECONDS}s`);
  return seconds;
}

function requestOf(flags: Flags): ControllerRequest {
  const { context, kubeconfig, requestTimeout } = flags;
  const strategy = placeOf(flags);
  return {
    source: { context, kubeconfig, requestTimeoutSeconds: requestTimeout },
    behavior: flags.behavior,
    controllers: flags.controllers ?? (strategy === 'kubevirt' ? CONTROLLERS : ['workload-update']),
    strategy,
    launcherImage: flags.launcherImage,
    election: electionOf(flags),
    bindAddress: flags.bindAddress,
    metricsPort: flags.metricsPort,
    certificate: certificateOf(flags),
    metricsAuth: flags.metricsAuth,
    diagnostics: flags.diagnostics,
    journal: flags.journal,
    dryRun: flags.dryRun,
    logLevel: flags.logLevel,
  };
}

function certificateOf({ tlsCert, tlsKey }: Flags): ControllerRequest['certificate'] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new DroverError('WrongFlags', '--tls-cert and --tls-key go together');
  return { certificateFile: tlsCert, keyFile: tlsKey };
}
