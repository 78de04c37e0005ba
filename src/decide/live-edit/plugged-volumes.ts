/** Volumes that are plugged into a running VMI by its VM's template. kubevirt v1.9.0 pkg/virt-controller/watch/vm/vm.go (handleVolumeRequests) */
import { isSameJson, type JsonObject, objectAt, objectsAt } from '../../kubevirt/json.ts';
import { isHotpluggable } from '../vmi/attachments.ts';

/**
 * The spec of a VMI, with all its fields, with the hot-pluggable volumes of the template and their disks, and without those that the
 * template has no more.
 *
 * Promise: the same reference where nothing changes. Volumes that were there from the start stay.
 */
export function withPluggedVolumes(spec: JsonObject, template: JsonObject): JsonObject {
  const held = objectsAt(spec, 'volumes');
  const wanted = objectsAt(template, 'volumes');
  const names = new Set(wanted.map(({ name }) => name));
  const kept = held.filter((volume) => !isPluggable(volume) || names.has(volume.name));
  const has = new Set(kept.map(({ name }) => name));
  const added = wanted.filter((volume) => isPluggable(volume) && !has.has(volume.name));
  if (added.length === 0 && kept.length === held.length) return spec;
  const gone = new Set(held.filter((volume) => !kept.includes(volume)).map(({ name }) => name));
  const devices = withDisks(spec, template, gone, new Set(added.map(({ name }) => name)));
  return { ...spec, volumes: [...kept, ...added], domain: { ...objectAt(spec, 'domain'), devices } };
}

/** Whether template and spec have other hot-pluggable volumes. */
export function hasOtherPluggedVolumes(spec: JsonObject, template: JsonObject): boolean {
  const namesIn = (object: JsonObject) =>
    objectsAt(object, 'volumes')
      .filter(isPluggable)
      .map(({ name }) => String(name))
      .sort();
  return !isSameJson(namesIn(spec), namesIn(template));
}

function isPluggable(volume: JsonObject): boolean {
  return isHotpluggable(volume as { readonly name: string });
}

function withDisks(
  spec: JsonObject,
  template: JsonObject,
  gone: ReadonlySet<unknown>,
  added: ReadonlySet<unknown>,
): JsonObject {
  const devicesOf = (object: JsonObject) => objectAt(objectAt(object, 'domain'), 'devices');
  const kept = objectsAt(devicesOf(spec), 'disks').filter(({ name }) => !gone.has(name));
  const named = new Set(kept.map(({ name }) => name));
  const disks = objectsAt(devicesOf(template), 'disks').filter(
    ({ name }) => added.has(name) && !named.has(name),
  );
  return { ...devicesOf(spec), disks: [...kept, ...disks] };
}
