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
  drover_objects_refused_total: { help: 'Objects that are not as Kubernetes has them and were left out.' },
};
