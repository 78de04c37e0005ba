import {
  admissionResponse,
  decodeReview,
  encodeReview,
  isEvictionReview,
} from '../decide/eviction/review.ts';
import { ApiErrors } from './api-errors.ts';
import { differences } from './compare.ts';
import { EvictionCluster } from './eviction-cluster.ts';
import { onlyFields, readSettings } from './input.ts';
import type { Vector, VectorDriver } from './vectors.ts';

/** The admitter: the calls it makes in order, the patch, the response. */
export const podEvictionDriver: VectorDriver = {
  family: 'pod-eviction',
  run: ({ input, output }) => {
    onlyFields(input, ['now', 'pods', 'vmis', 'review', 'clusterConfiguration', 'apiErrors']);
    const review = decodeReview('application/json', JSON.stringify(input.review));
    if (!isEvictionReview(review)) throw new Error('the review cannot be read');
    const cluster = new EvictionCluster(input.pods, input.vmis, new ApiErrors(input.apiErrors));
    const settings = readSettings(input.clusterConfiguration);
    const answer = cluster.admit({ request: review.request, settings, behavior: 'exact' });
    // The HTTP handler around the admitter fills in the uid.
    const response = admissionResponse('', answer);
    const { allowed, status } = response;
    const ours = { allowed, code: status?.code, message: status?.message, response };
    return differences(
      withoutDecoderTexts(output),
      withoutDecoderTexts({ ...ours, apiCalls: cluster.calls, patch: patchOf(cluster) }),
    );
  },
};

/** The HTTP handler. Where the real one panicked, we answer 400. */
export const podEvictionHttpDriver: VectorDriver = {
  family: 'pod-eviction-http',
  run: ({ input, output }) => {
    onlyFields(input, ['now', 'body', 'contentType', 'pods', 'vmis']);
    const expected = 'panic' in output ? { status: 400, bodyText: '' } : output;
    return differences(withoutDecoderTexts(expected), withoutDecoderTexts(serve(input)));
  },
};

function serve(input: Vector['input']): Record<string, unknown> {
  const review = decodeReview(input.contentType as string | undefined, input.body as string);
  if (!isEvictionReview(review)) return { status: review.status, bodyText: '' };
  const cluster = new EvictionCluster(input.pods, input.vmis, new ApiErrors([]));
  const settings = readSettings({});
  const { status, body } = encodeReview(
    review,
    cluster.admit({ request: review.request, settings, behavior: 'exact' }),
  );
  return { status, body };
}

function patchOf({ patch }: EvictionCluster): unknown {
  if (!patch) return null;
  return {
    namespace: patch.namespace,
    name: patch.name,
    subresource: '',
    patchType: 'application/json-patch+json',
    patch: patch.patch,
    options: patch.dryRun ? { dryRun: ['All'] } : {},
  };
}

const DECODER_TEXT = /^(failed to parse the eviction object: ).*$/s;

/** What follows the prefix is the wording of Go's decoder, which is not ours to repeat. */
function withoutDecoderTexts(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(DECODER_TEXT, '$1');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutDecoderTexts);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutDecoderTexts(inner)]));
}
