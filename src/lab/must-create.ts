import type { ApiClient } from '../kubernetes/api-client.ts';
import type { JsonObject } from '../kubevirt/json.ts';
import { LabError } from './errors.ts';

/** Creates an object without which nothing goes on, and gives it as the API server has it. Throws with its words where it refuses. */
export async function mustCreate(api: ApiClient, path: string, body: object): Promise<JsonObject> {
  const made = await api.call({ method: 'POST', path, body });
  if (!made.ok) throw new LabError('LabRefused', `${path}: ${made.message}`);
  return made.object;
}
