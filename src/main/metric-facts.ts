import { CONTROLLER_METRIC_FACTS } from '../controllers/metric-facts.ts';
import type { MetricFacts } from '../server/metrics.ts';

/** What each of Drover's metrics is about. */
export const METRIC_FACTS: Readonly<Record<string, MetricFacts>> = {
  drover_admissions_total: { help: 'Decisions of webhooks, by reason.' },
  drover_admission_seconds: { help: 'Time that webhooks take for a decision.' },
  drover_admission_unreadable_total: { help: 'Requests to webhooks that hold no AdmissionReview.' },
  drover_api_requests_total: { help: 'Requests to the API server, by verb and HTTP code.' },
  drover_cache_age_seconds: { help: 'Time since the cache of a kind was last known to be right.' },
  drover_certificate_ends_at_seconds: { help: 'When the certificate ends, as seconds since 1970.' },
  drover_certificate_problems_total: { help: 'New certificates that could not be served.' },
  drover_events_total: {
    help: 'Events, by whether they were written, spared as repetitions, dropped, or failed.',
  },
  drover_leader: { help: 'Whether this process leads: 1 while it does.' },
  drover_lists_total: { help: 'Whole lists of a kind that were asked for, by result.' },
  drover_objects_refused_total: { help: 'Objects that are not as Kubernetes has them and were left out.' },
  drover_strategy_problems_total: {
    help: 'Changes of the strategy that could not be read and were passed over.',
  },
  drover_watch_ends_total: { help: 'Watches that ended, by kind and reason.' },
  ...CONTROLLER_METRIC_FACTS,
};
