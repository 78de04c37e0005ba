import { Fleet } from '../fleet/fleet.ts';
import { reportOf } from '../forecast/check/report.ts';
import { lint } from '../forecast/lint/lint.ts';
import { rolloutStatus } from '../forecast/status/status.ts';
import { aForecast } from '../forecast/views/builders.ts';
import { aNode, aVmi } from '../kubevirt/builders.ts';
import { aRun, aSimulation } from '../rehearsal/builders.ts';
import { withTime } from '../rehearsal/timed/with-time.ts';
import type { CliContext } from './context.ts';
import { DroverError } from './errors.ts';
import { main } from './main.ts';
import type { LiveSource } from './ports.ts';
import type { LabServices } from './services.ts';

/** A fleet of one node and one VMI, `shop/db-0` on n1. */
export function aSmallFleet(): Fleet {
  const fleet = new Fleet();
  fleet.apply('Node', aNode('n1').build());
  fleet.apply('VirtualMachineInstance', aVmi('db-0', 'shop').on('n1').labelled('app', 'db').build());
  return fleet;
}

/** What a command line did. `asked` holds the question, its name and the options of each call. */
export const notAskedFor = () => Promise.reject(new Error('not asked for'));

/** For tests of what has nothing to do with labs. */
export const noLab: LabServices = {
  up: notAskedFor,
  upgrade: notAskedFor,
  status: notAskedFor,
  down: notAskedFor,
  agents: notAskedFor,
  agentRights: notAskedFor,
  run: notAskedFor,
};

/** A command line as a shell takes it apart, without quotes. */
export const words = (line: string): string[] => line.split(' ').filter(Boolean);

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly asked: readonly { name: string; question: unknown; options: unknown }[];
  readonly read: readonly (readonly string[])[];
  /** Live clusters that were read. */
  readonly live: readonly LiveSource[];
}

const blocks = aForecast().with('shop/db-0', 'Blocks').build();

/** Runs a command line in this process with answers that are always the same forecast, one VM that blocks. */
export async function runCli(
  argv: readonly string[],
  change: Partial<CliContext> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const out = { stdout: '', stderr: '' };
  const append = (stream: keyof typeof out, text: string): void => {
    out[stream] += text;
  };
  const asked: { name: string; question: unknown; options: unknown }[] = [];
  const read: (readonly string[])[] = [];
  const live: LiveSource[] = [];
  const plan = (name: string) => async (_fleet: Fleet, question: unknown, options: unknown) => {
    asked.push({ name, question, options });
    return blocks;
  };
  const context: CliContext = {
    process: {
      stdout: { write: (text) => append('stdout', text) },
      stderr: { write: (text) => append('stderr', text) },
      env,
    },
    program: 'drover',
    version: '1.2.3',
    terminal: { width: 100, colour: false, watched: false },
    now: () => 0,
    readInput: async (sources) => {
      read.push(sources);
      return { fleet: aSmallFleet(), warnings: [] };
    },
    readLive: async (source) => {
      live.push(source);
      return { fleet: aSmallFleet(), warnings: [] };
    },
    answers: {
      planUpgrade: plan('upgrade'),
      planDrain: plan('drain'),
      planRound: plan('round'),
      planEvict: plan('evict'),
      planConfig: plan('config'),
      planEdit: plan('edit'),
      explainVmi: async (...call) => [await plan('explain')(...call)],
      status: async (fleet, question, options) => {
        asked.push({ name: 'status', question, options });
        return rolloutStatus(fleet, question, options);
      },
      withTime: async (forecast, fleet, timed, options) => {
        asked.push({ name: 'time', question: timed, options });
        return withTime(forecast, fleet, timed, options);
      },
      lint: async (fleet, options) => lint(fleet, options),
    },
    services: {
      webhook: async (request) => void asked.push({ name: 'webhook', question: request, options: undefined }),
      webhookManifests: async (request) => {
        asked.push({ name: 'manifests', question: request, options: undefined });
        return 'manifests\n';
      },
      controller: async (request) =>
        void asked.push({ name: 'controller', question: request, options: undefined }),
      strategy: async (place) => {
        asked.push({ name: 'strategy', question: place, options: undefined });
        return { kind: 'own', methods: ['Evict'], batchEvictionSize: 1, batchEvictionIntervalSeconds: 60 };
      },
      follow: async (source, look) => {
        live.push(source);
        for (let at = 0; await look(aSmallFleet(), at, []); at += 1000);
      },
      check: async (_fleet, request) => {
        asked.push({ name: 'check', question: request, options: undefined });
        return reportOf({ kubevirtVersion: '1.9', behavior: 'exact' }, [], []);
      },
      lab: {
        up: async (question) => void asked.push({ name: 'lab up', question, options: undefined }),
        upgrade: async (question, options) => void asked.push({ name: 'lab upgrade', question, options }),
        status: async (question) => {
          asked.push({ name: 'lab status', question, options: undefined });
          return ['KubeVirt    v1.9.0 Deployed'];
        },
        down: async (question) => void asked.push({ name: 'lab down', question, options: undefined }),
        agents: async (question) => void asked.push({ name: 'lab agents', question, options: undefined }),
        agentRights: async (namespace) => `rights in ${namespace}\n`,
        run: notAskedFor,
      },
      simulate: async (question, { onRuns, onCourse } = {}) => {
        asked.push({ name: 'simulate', question, options: undefined });
        onRuns?.(question.runs, question.runs);
        onCourse?.(() => ({ seconds: 75, done: 1, vms: 3 }));
        const ended = question.file.startsWith('stopped') ? 1 : question.runs;
        return aSimulation(...Array.from({ length: ended }, (_, i) => aRun({ seed: 1 + i })));
      },
      requireWritable: async (path) => {
        if (path.startsWith('/nowhere/')) throw new DroverError('CannotWrite', path);
      },
      writeFile: async (path, text) => {
        if (path.startsWith('/full/')) throw new DroverError('CannotWrite', path);
        asked.push({ name: 'file', question: path, options: text });
      },
    },
    ...change,
  };
  return { code: await main(argv, context), ...out, asked, read, live };
}
