import { z } from 'zod';
import type { ApiResult } from '../decide/api-result.ts';

const failureSchema = z.strictObject({
  verb: z.string(),
  resource: z.string(),
  subresource: z.string().optional(),
  namespace: z.string().optional(),
  name: z.string().optional(),
  status: z
    .object({ message: z.string(), reason: z.string().optional(), code: z.number().optional() })
    .optional(),
  text: z.string().optional(),
});

/** A call to the API server as the vectors' failures match it. */
export interface ApiCall {
  readonly verb: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** A vector's `apiErrors`: which calls fail, with which text. A field that is not known here throws. */
export class ApiErrors {
  readonly #failures: z.infer<typeof failureSchema>[];

  constructor(raw: unknown) {
    this.#failures = z.array(failureSchema).parse(raw ?? []);
  }

  /** The text of the first failure that matches the call; undefined: the call succeeds. */
  textFor(call: ApiCall): string | undefined {
    const failure = this.#find(call);
    return failure && (failure.status?.message ?? failure.text ?? '');
  }

  /** The call fails, and as the server's 404. */
  isNotFound(call: ApiCall): boolean {
    return this.#find(call)?.status?.reason === 'NotFound';
  }

  /** What the server answers to the call; `name` is that of the object where it succeeds. */
  answer(call: ApiCall, name: string): ApiResult {
    const failure = this.#find(call);
    if (failure === undefined) return { ok: true, name };
    const { message = failure.text ?? '', code, reason } = failure.status ?? {};
    return { ok: false, message, code, reason };
  }

  #find(call: ApiCall): z.infer<typeof failureSchema> | undefined {
    return this.#failures.find(
      (candidate) =>
        candidate.verb === call.verb &&
        candidate.resource === call.resource &&
        candidate.subresource === call.subresource &&
        (candidate.namespace === undefined || candidate.namespace === call.namespace) &&
        (candidate.name === undefined || candidate.name === call.name),
    );
  }
}
