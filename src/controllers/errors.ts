import { codedBy, type ErrorTable } from '../kubevirt/coded-error.ts';

/** What keeps a controller from running, by code. The codes are stable. */
export const CONTROLLER_ERRORS = {
  TwoUpdaters: {
    cause:
      "The KubeVirt CR has methods, so KubeVirt's updater acts, and Drover would act beside it: by a strategy of its own, or by the same one.",
    cure: "Empty spec.workloadUpdateStrategy.workloadUpdateMethods in the KubeVirt CR and give Drover its own strategy, or let only one of Drover's updater and virt-controller run.",
  },
  StrategyUnreadable: {
    cause: "Drover's own strategy cannot be read, or is none.",
    cure: 'Write workloadUpdateMethods, batchEvictionSize and batchEvictionInterval as in spec.workloadUpdateStrategy of the KubeVirt CR: YAML, in the file of --strategy-from-file, or under the key strategy.yaml of the ConfigMap.',
  },
  JournalUnwritable: {
    cause: 'The file for the journal cannot be written.',
    cure: 'Name another with --journal, or - for stdout.',
  },
} as const satisfies ErrorTable;

/** An error that an operator can do something about. */
export class ControllerError extends codedBy(CONTROLLER_ERRORS) {
  override readonly name = 'ControllerError';
}
