import { counted } from '../../kubevirt/words.ts';
/** Traps that stand in the KubeVirt CR itself. */

import { strategyValidationTable } from '../../decide/eviction-strategy.ts';
import { field, refOf } from '../../decide/evidence.ts';
import { resultOf } from '../../decide/rules.ts';
import { METHOD, STRATEGY } from '../../kubevirt/names.ts';
import type { KubeVirt } from '../../kubevirt/objects.ts';
import { byKey } from '../../kubevirt/order.ts';
import { parseDurationSeconds } from '../../kubevirt/time.ts';
import { patchKubeVirt } from './commands.ts';
import type { LintContext } from './context.ts';
import type { Found, LintRule } from './finding.ts';
import { found, listed } from './words.ts';

const STRATEGIES: readonly string[] = Object.values(STRATEGY);
const METHODS: readonly string[] = Object.values(METHOD);
const KIND = 'KubeVirt';

/** A finding about one field of the KubeVirt CR. */
function about(kubevirt: KubeVirt, path: string, value: unknown, cause: string, cure: string): Found[] {
  const evidence = [field(kubevirt, path, value, KIND)];
  return found(
    KIND,
    [kubevirt],
    (cr) => cr,
    () => ({ cause, cure, evidence }),
  );
}

export const unknownEvictionStrategy: LintRule = {
  code: 'DRV001',
  name: 'UnknownEvictionStrategy',
  severity: 'error',
  title: "the cluster's eviction strategy is a word that KubeVirt does not know",
  explains:
    'Nothing checks `spec.configuration.evictionStrategy` when the KubeVirt CR is written. An unknown word protects no VM: ' +
    'evictions treat it as `None` and shut guests down. It also stops new work, because every VM and VMI that sets no ' +
    'strategy of its own is checked against the cluster value and refused.',
  needs: [KIND],
  find: ({ kubevirt, settings }) => {
    if (!kubevirt || isAccepted(kubevirt, settings)) return [];
    const strategy = settings.evictionStrategy;
    return about(
      kubevirt,
      'spec.configuration.evictionStrategy',
      strategy,
      `spec.configuration.evictionStrategy is "${strategy}", but KubeVirt knows only ${listed(STRATEGIES)}. ` +
        'VMs and VMIs without a strategy of their own are refused at creation, and running ones are evicted as with None.',
      `Write one of the known words: ${patchKubeVirt(kubevirt, { configuration: { evictionStrategy: meantStrategy(strategy) } })}`,
    );
  },
};

/** Whether a VM that names no strategy would be accepted. */
function isAccepted(object: KubeVirt, settings: LintContext['settings']): boolean {
  const vm = { object, path: 'spec.template.spec', strategy: undefined, settings };
  const validity = resultOf(strategyValidationTable, { ...vm, behavior: 'intended' });
  return 'causes' in validity && validity.causes.length === 0;
}

/** The known word that differs in case or blanks only, else the one that neither blocks drains nor gives migration up. */
function meantStrategy(word: string): string {
  return STRATEGIES.find((known) => isAlike(known, word)) ?? STRATEGY.liveMigrateIfPossible;
}

function isAlike(known: string, word: string): boolean {
  return known.toLowerCase() === word.trim().toLowerCase();
}

export const unknownUpdateMethod: LintRule = {
  code: 'DRV002',
  name: 'UnknownUpdateMethod',
  severity: 'error',
  title: 'a workload update method is a word that KubeVirt does not know',
  explains:
    'Nothing checks `spec.workloadUpdateStrategy.workloadUpdateMethods` either: the updater skips every word other than ' +
    '`LiveMigrate` and `Evict` without a log line. The list then does less than it seems to, down to nothing at all: ' +
    'launchers stay old, and CPU, memory, network and volume changes wait.',
  needs: [KIND],
  find: ({ kubevirt, settings }) => {
    const methods = settings.workloadUpdateMethods;
    const unknown = methods.filter((method) => !METHODS.includes(method));
    if (!kubevirt || unknown.length === 0) return [];
    const left = methods.filter((method) => METHODS.includes(method));
    const inEffect =
      left.length > 0
        ? `only ${listed(left)} is in effect`
        : 'no method is in effect, so nothing is ever updated';
    const meant = [...new Set(methods.map(meantMethod))];
    return about(
      kubevirt,
      'spec.workloadUpdateStrategy.workloadUpdateMethods',
      methods,
      `workloadUpdateMethods lists ${listed(unknown.map((method) => `"${method}"`))}, which nothing reads; ${inEffect}.`,
      `List only ${listed(METHODS)}: ${patchKubeVirt(kubevirt, { workloadUpdateStrategy: { workloadUpdateMethods: meant } })}`,
    );
  },
};

function meantMethod(word: string): string {
  return METHODS.find((known) => isAlike(known, word)) ?? METHOD.liveMigrate;
}

export const batchOutOfRange: LintRule = {
  code: 'DRV003',
  name: 'BatchOutOfRange',
  severity: 'error',
  title: 'the eviction batch has a size or an interval of zero or less',
  explains:
    'The API server takes any number for `batchEvictionSize` and any duration for `batchEvictionInterval`. With a size of ' +
    'zero or less the updater never evicts anything, although `Evict` is listed; with an interval of zero or less there is ' +
    'no pause between batches, so all VMs that are to be evicted go down one batch right after the other.',
  needs: [KIND],
  find: ({ kubevirt, settings }) => {
    if (!kubevirt || !settings.workloadUpdateMethods.includes(METHOD.evict)) return [];
    return [...batchSize(kubevirt, settings), ...batchInterval(kubevirt, settings)];
  },
};

function batchSize(kubevirt: KubeVirt, { batchEvictionSize }: LintContext['settings']): Found[] {
  if (batchEvictionSize > 0) return [];
  return about(
    kubevirt,
    'spec.workloadUpdateStrategy.batchEvictionSize',
    batchEvictionSize,
    `batchEvictionSize is ${batchEvictionSize}: no VMI is ever picked for eviction, although the methods list Evict.`,
    `Take a size of one or more (10 where none is set): ${patchKubeVirt(kubevirt, { workloadUpdateStrategy: { batchEvictionSize: 10 } })}`,
  );
}

function batchInterval(kubevirt: KubeVirt, { batchEvictionSize }: LintContext['settings']): Found[] {
  const interval = kubevirt.spec?.workloadUpdateStrategy?.batchEvictionInterval;
  const seconds = interval === undefined ? undefined : parseDurationSeconds(interval);
  if (interval === undefined || (seconds !== undefined && seconds > 0)) return [];
  const cause =
    seconds === undefined
      ? `batchEvictionInterval is "${interval}", which is not a duration: KubeVirt's webhook refuses this CR.`
      : `batchEvictionInterval is ${interval}: batches of ${counted(batchEvictionSize, 'VMI')} are evicted without a pause between them.`;
  return about(
    kubevirt,
    'spec.workloadUpdateStrategy.batchEvictionInterval',
    interval,
    cause,
    `Take an interval of a minute or more: ${patchKubeVirt(kubevirt, { workloadUpdateStrategy: { batchEvictionInterval: '1m' } })}`,
  );
}

export const severalKubeVirts: LintRule = {
  code: 'DRV004',
  name: 'SeveralKubeVirts',
  severity: 'error',
  title: 'there is more than one KubeVirt CR',
  explains:
    'KubeVirt allows one KubeVirt object and refuses a second at creation, but a restore or an old release can leave two. ' +
    'While there are two, the updater drops every event of VMIs and migrations, so roll-outs and live updates stall, and ' +
    'it is open which of the two sets the eviction strategy.',
  needs: [KIND],
  find: ({ fleet }) => {
    const all = [...fleet.all(KIND)].sort(byKey);
    if (all.length < 2) return [];
    const phases = all.map((cr) => `${refOf(cr, KIND)} is ${cr.status?.phase ?? 'without phase'}`);
    return found(
      KIND,
      all,
      (cr) => cr,
      (_, count) => ({
        cause: `There are ${count}: ${listed(phases)}. The workload updater reacts to no VMI and no migration while that is so.`,
        cure: 'Compare them with `kubectl get kubevirt -A -o yaml` and delete the one that virt-operator did not deploy; deleting the deployed one removes KubeVirt.',
        evidence: all.map((cr) => field(cr, 'status.phase', cr.status?.phase, KIND)),
      }),
    );
  },
};
