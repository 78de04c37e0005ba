import type { Answers } from '../cli/ports.ts';

/** One line for each question; the code behind it loads when it is asked. */
export const answers: Answers = {
  planUpgrade: async (...asked) => (await import('../forecast/plans/upgrade.ts')).planUpgrade(...asked),
  planDrain: async (...asked) => (await import('../forecast/plans/drain.ts')).planDrain(...asked),
  planRound: async (...asked) => (await import('../forecast/plans/round.ts')).planRound(...asked),
  planEvict: async (...asked) => (await import('../forecast/plans/evict.ts')).planEvict(...asked),
  planConfig: async (...asked) => (await import('../forecast/plans/config.ts')).planConfig(...asked),
  planEdit: async (...asked) => (await import('../forecast/plans/edit.ts')).planEdit(...asked),
  explainVmi: async (...asked) => (await import('../forecast/plans/explain.ts')).explainVmi(...asked),
  status: async (...asked) => (await import('../forecast/status/status.ts')).rolloutStatus(...asked),
  withTime: async (...asked) => {
    (await import('./compiler.ts')).compileForSimulation();
    return (await import('../rehearsal/timed/with-time.ts')).withTime(...asked);
  },
  lint: async (...asked) => (await import('../forecast/lint/lint.ts')).lint(...asked),
};
