/** What the metrics of the controllers are about, for `# HELP`. */
export const CONTROLLER_METRIC_FACTS = {
  drover_actions_total: {
    help: 'What was asked of the API server, by action and by the reason of its outcome.',
  },
  drover_eviction_batch_accepted: { help: 'Evictions of the current batch that were accepted.' },
  drover_eviction_batch_size: { help: 'Evictions that a batch may have.' },
  drover_gate_open: { help: 'Whether the updater may act: 1 while every gate is open.' },
  drover_held_vmis: {
    help: 'VMIs that wait before they are tried again, by the reason of the last refusal.',
  },
  drover_migrations: { help: 'Unfinished migrations, whoever made them, by whether they run or wait.' },
  drover_migrations_cap: { help: 'Migrations that the cluster allows at once.' },
  drover_outdated_vmis: { help: 'VMIs with an old launcher or a pending change that needs a migration.' },
  drover_queue_depth: { help: 'Keys that wait for a pass.' },
  drover_reconcile_seconds: { help: 'Time that a pass takes.' },
  drover_reconciles_total: { help: 'Passes, by their result.' },
  kubevirt_vmi_number_of_outdated: {
    help: 'Indication for the total number of VirtualMachineInstance workloads that are not running within the most up-to-date version of the virt-launcher environment.',
  },
} as const satisfies Readonly<Record<string, { readonly help: string }>>;
