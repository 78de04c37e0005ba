import type { Pod } from '../../../kubevirt/objects.ts';

/** An address of its own for each pod, by its UID, so that agents that do not know of each other give the same. */
export function podIpOf(pod: Pod): string {
  const { uid = '', name } = pod.metadata;
  let hash = 0x811c9dc5;
  for (const character of uid || name) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return `10.${hash >>> 24}.${(hash >>> 16) & 255}.${1 + ((hash & 0xffff) % 254)}`;
}
