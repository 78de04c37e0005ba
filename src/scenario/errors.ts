import { codedBy, type ErrorTable } from '../kubevirt/coded-error.ts';

/** What can be wrong with a scenario, by code. The codes are stable. */
export const SCENARIO_ERRORS = {
  ScenarioUnreadable: {
    cause: 'The file of a scenario cannot be read, or is no YAML.',
    cure: 'Check the path, and mend the file at the place that the message names.',
  },
  ScenarioInvalid: {
    cause: 'A scenario says something that means nothing, or names what its cluster does not have.',
    cure: 'Compare it with docs/reference/scenario.schema.json, which editors can check it against, and with the folders in scenarios.',
  },
  SnapshotIncomplete: {
    cause: 'A snapshot lacks a kind that others in it cannot be without.',
    cure: 'Dump nodes, pods, VMs and VMIs together; README.md names all kinds.',
  },
  OutOfMemory: {
    cause:
      'A simulated run takes more than three quarters of the memory of the machine, or of its part of that.',
    cure: 'Play fewer runs at once (--jobs), or a cluster with fewer VMs; 100,000 need 3 GiB.',
  },
  Stopped: {
    cause: 'A simulation was asked to stop, by SIGTERM or SIGINT, before any of its runs had ended.',
    cure: 'Wait for the first run; --seed and --runs choose which are played.',
  },
  RunFailed: {
    cause: 'A simulated run came to no end.',
    cure: 'Please report it, with the scenario and the seed.',
  },
} as const satisfies ErrorTable;

/** An error that whoever wrote the scenario can do something about. */
export class ScenarioError extends codedBy(SCENARIO_ERRORS) {
  override readonly name = 'ScenarioError';
}
