import type { ApiFailure } from '../decide/api-result.ts';
import type { Kind } from '../fleet/fleet.ts';
import { KINDS } from '../kubevirt/kinds.ts';

/** `pods`, `virtualmachineinstances.kubevirt.io`: how the API server calls a kind in its messages. */
function resourceOf(kind: Kind): string {
  const { group, plural } = KINDS[kind];
  return group === '' ? plural : `${plural}.${group}`;
}

export function notFound(kind: Kind, name: string): ApiFailure {
  return { ok: false, code: 404, reason: 'NotFound', message: `${resourceOf(kind)} "${name}" not found` };
}

export function alreadyExists(kind: Kind, name: string): ApiFailure {
  const message = `${resourceOf(kind)} "${name}" already exists`;
  return { ok: false, code: 409, reason: 'AlreadyExists', message };
}

export function conflict(kind: Kind, name: string): ApiFailure {
  const why = 'the object has been modified; please apply your changes to the latest version and try again';
  const message = `Operation cannot be fulfilled on ${resourceOf(kind)} "${name}": ${why}`;
  return { ok: false, code: 409, reason: 'Conflict', message };
}

/** `problem` names the field. */
export function invalid(kind: Kind, name: string, problem: string): ApiFailure {
  const { group } = KINDS[kind];
  const qualified = group === '' ? kind : `${kind}.${group}`;
  return {
    ok: false,
    code: 422,
    reason: 'Invalid',
    message: `${qualified} "${name}" is invalid: ${problem}`,
  };
}

export function unprocessable(): ApiFailure {
  const message = 'the server rejected our request due to an error in our request';
  return { ok: false, code: 422, reason: 'Invalid', message };
}

export function badRequest(message: string): ApiFailure {
  return { ok: false, code: 400, reason: 'BadRequest', message };
}

/** There is no such door to the objects of this kind. */
export function noSuchResource(): ApiFailure {
  return {
    ok: false,
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
  };
}
