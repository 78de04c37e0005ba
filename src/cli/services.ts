import type { StrategySource } from '../controllers/strategy.ts';
import type { DefaultStrategy } from '../decide/guard/default-strategy.ts';
import type { Behavior } from '../decide/rules.ts';
import type { KubeVirtVersion } from '../decide/versions.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { CheckReport } from '../forecast/check/report.ts';
import type { Instant } from '../kubevirt/time.ts';
import type { OnCourse } from '../rehearsal/how-far.ts';
import type { SimulationReport } from '../rehearsal/report.ts';
import type { AskOptions, LiveSource } from './ports.ts';

/** What the commands that run and go on need of the world; `src/main` provides it. */
export interface Services {
  /** Serves until the process is asked to end, and has let go of everything when it resolves. */
  readonly webhook: (request: WebhookRequest) => Promise<void>;
  /** The objects with which the API server finds the webhooks, as YAML. */
  readonly webhookManifests: (request: WebhookManifests) => Promise<string>;
  /** Runs controllers until the process is asked to end, and has let go of everything when it resolves. */
  readonly controller: (request: ControllerRequest) => Promise<void>;
  /** Reads a strategy of Drover's own, once. Throws a coded error. */
  readonly strategy: (
    place: Exclude<StrategyPlace, 'kubevirt'>,
    source: LiveSource,
  ) => Promise<StrategySource>;
  /** Follows a live cluster until `look` says that it is enough, or the process is asked to end. */
  readonly follow: (source: LiveSource, look: Look) => Promise<void>;
  /** Asks a live cluster about evictions, as dry runs, and compares. `fleet` is what was read of it just before. */
  readonly check: (
    fleet: Fleet,
    request: CheckRequest,
    onProgress?: (done: number, all: number) => void,
  ) => Promise<CheckReport>;
  readonly lab: LabServices;
  /** Plays a scenario as often as asked. Throws a coded error. */
  readonly simulate: (request: SimulateRequest, watch?: SimulationWatch) => Promise<SimulationReport>;
  /** Writes a file, or throws a coded error. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
  /** Throws a coded error where a file could not be written, before a long time is spent on what it is to hold. */
  readonly requireWritable: (path: string) => Promise<void>;
}

export interface LabServices {
  /** Runs a lab until the process is asked to end; nothing of it is left when it resolves. Throws a coded error. */
  readonly up: (request: LabUpRequest) => Promise<void>;
  /** Has the lab's KubeVirt roll out another release; resolves when virt-operator is told. */
  readonly upgrade: (kubeconfig: string, release: LabRelease) => Promise<void>;
  /** How a lab stands, in lines. `write` hears what is cleared that others left which were killed. */
  readonly status: (kubeconfig: string, write: (text: string) => void) => Promise<readonly string[]>;
  /** Ends a lab, whoever started it; resolves when it is gone. `write` as of `status`. */
  readonly down: (kubeconfig: string, write: (text: string) => void) => Promise<void>;
  /** Plays nodes on a cluster until the process is asked to end. */
  readonly agents: (request: LabAgentsRequest) => Promise<void>;
  /** The rights that this needs, as YAML. */
  readonly agentRights: (kubevirtNamespace: string) => Promise<string>;
  /** Plays a scenario in a lab, in wall time; nothing of the lab is left when it resolves. Throws a coded error. */
  readonly run: (request: LabRunRequest) => Promise<SimulationReport>;
}

export interface LabRunRequest extends Pick<SimulateRequest, 'file' | 'snapshot'> {
  /** All is over when nothing has happened to any VM for so long. */
  readonly quietSeconds: number;
  /** Is told where the lab is. */
  readonly write: (text: string) => void;
  /** Called twice a second. */
  readonly onCourse?: OnCourse | undefined;
}

export interface LabAgentsRequest {
  readonly source: LiveSource;
  readonly nodes: number;
  /** What the names of nodes begin with. */
  readonly prefix: string;
  readonly speed: number;
  readonly behaviourFile?: string | undefined;
  readonly write: (text: string) => void;
}

export interface LabUpRequest {
  /** Files of a cluster to begin with; a cluster of the lab's own where absent. */
  readonly snapshot?: string | undefined;
  readonly nodes: number;
  readonly vms: number;
  /** How many times as fast as in life nodes, guests and roll-outs are. */
  readonly speed: number;
  /** The tag of the release that is installed. */
  readonly version: string;
  readonly behavior: Behavior;
  /** A file that says how guests behave. */
  readonly behaviourFile?: string | undefined;
  readonly kubeconfigOut: string;
  /** Draws the summary anew on a terminal; else a line for each change. */
  readonly isTerminal: boolean;
  readonly write: (text: string) => void;
}

/** What virt-operator is to install: the tag of its images, and where they come from. */
export interface LabRelease {
  readonly tag: string;
  readonly registry?: string | undefined;
}

export interface SimulateRequest {
  readonly file: string;
  /** Where the cluster stands, in place of the one of the scenario; none: that one. */
  readonly snapshot: readonly string[];
  /** The first one. */
  readonly seed?: number | undefined;
  readonly runs: number;
  /** How many at once, each on a thread of its own; one after another on this one where absent. */
  readonly jobs?: number | undefined;
  /** The folder that the first run is recorded in, if any. */
  readonly record?: string | undefined;
}

/** Who wants to know how far it is. */
export interface SimulationWatch {
  /** Called whenever another run has ended. */
  readonly onRuns?: ((done: number, all: number) => void) | undefined;
  /** Called all the time within runs, unless there are several at once. */
  readonly onCourse?: OnCourse | undefined;
  /** Asks to stop: the answer is of the runs that have ended by then. A thread ends in the middle of its run. */
  readonly signal?: AbortSignal | undefined;
}

export const CONTROLLERS = ['workload-update', 'evacuation'] as const;
export type ControllerName = (typeof CONTROLLERS)[number];

/** Where the workload updater's strategy stands: in the KubeVirt CR, or in settings of Drover's own. */
export type StrategyPlace = 'kubevirt' | { readonly file: string } | { readonly configMap: NamespacedName };

export interface LeaderElection extends NamespacedName {
  /** Without it the process takes itself for the only one; the Lease then only holds the time of the last batch. */
  readonly enabled: boolean;
  readonly leaseDurationSeconds: number;
  readonly renewDeadlineSeconds: number;
  readonly retryPeriodSeconds: number;
}

export interface ControllerRequest {
  readonly source: LiveSource;
  readonly behavior: Behavior;
  readonly controllers: readonly ControllerName[];
  readonly strategy: StrategyPlace;
  /** Absent: what the Deployment of virt-controller says. */
  readonly launcherImage?: string | undefined;
  readonly election: LeaderElection;
  readonly bindAddress: string;
  readonly metricsPort: number;
  /** For health, readiness and metrics; plain HTTP where absent. */
  readonly certificate?: { readonly certificateFile: string; readonly keyFile: string } | undefined;
  /** Metrics and diagnostics for those only whose token may see them. */
  readonly metricsAuth: boolean;
  readonly diagnostics: boolean;
  /** A file, `-` for stdout, or none. */
  readonly journal?: string | undefined;
  readonly dryRun: boolean;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** Called with the cluster as it is at first, and after changes, not too often. Whether to go on. */
export type Look = (fleet: Fleet, at: Instant, warnings: readonly string[]) => Promise<boolean>;

export interface CheckRequest extends Omit<AskOptions, 'now'> {
  readonly source: LiveSource;
  readonly parallel: number;
  readonly perSecond: number;
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}

/** Which webhooks, and where the API server is to call them. */
export interface WebhookManifests {
  /** Beside KubeVirt's own webhooks, instead of in their place. */
  readonly guard: boolean;
  readonly service: NamespacedName;
  /** In place of the service, for an API server that is to call elsewhere. */
  readonly url?: string | undefined;
  /** The issuer of cert-manager that makes the certificate, `NAME` or `KIND/NAME`. */
  readonly certManagerIssuer?: string | undefined;
  /** The Secret in which the certificate lies. */
  readonly secret: NamespacedName;
}

/** Where the certificate comes from: files, or Drover makes it. */
export type CertificateOrigin = { readonly certificateFile: string; readonly keyFile: string } | 'bootstrap';

export interface WebhookRequest extends WebhookManifests {
  readonly source: LiveSource;
  readonly behavior: Behavior;
  readonly kubevirtVersion?: KubeVirtVersion | undefined;
  readonly defaults: readonly DefaultStrategy[];
  readonly bindAddress: string;
  readonly port: number;
  readonly metricsPort: number;
  readonly metricsTls: boolean;
  readonly certificate: CertificateOrigin;
  readonly answerWithinSeconds: number;
  readonly mostBytes: number;
  readonly stopDelaySeconds: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}
