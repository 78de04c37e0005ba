import { objectAt } from '../kubevirt/json.ts';
import type { ApiClient } from './api-client.ts';

/** The name by which the API server knows the client, such as `system:serviceaccount:NAMESPACE:NAME`; undefined where it does not say. */
export async function whoAmI(api: ApiClient): Promise<string | undefined> {
  const answer = await api.call({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    verb: 'create',
  });
  if (!answer.ok) return undefined;
  const { username } = objectAt(objectAt(answer.object, 'status'), 'userInfo');
  return typeof username === 'string' ? username : undefined;
}
