/** What others than the migration controller did to a VMI in a recording. */
import { type JsonObject, objectAt } from '../../../kubevirt/json.ts';
import { ANNOTATION, LABEL } from '../../../kubevirt/names.ts';

export function withSockets(spec: JsonObject, sockets: unknown): JsonObject {
  const domain = objectAt(spec, 'domain');
  const cpu = { model: 'host-model', cores: 1, threads: 1, ...objectAt(domain, 'cpu'), sockets };
  return { ...spec, domain: { ...domain, cpu } };
}

/** The VMI with what changed in the recording and was not written by the migration controller. */
export function withOthersPart(vmi: JsonObject, before: JsonObject, after: JsonObject): JsonObject {
  const metadata = objectAt(vmi, 'metadata');
  const status = objectAt(vmi, 'status');
  const [was, is] = [objectAt(before, 'status'), objectAt(after, 'status')];
  const [hadState, hasState] = [objectAt(was, 'migrationState'), objectAt(is, 'migrationState')];
  const isHandOff = hadState.migrationUid !== hasState.migrationUid;
  const held = objectAt(status, 'migrationState');
  const state = isHandOff ? held : changed(held, hadState, hasState, ['abortRequested']);
  return {
    ...vmi,
    metadata: {
      ...metadata,
      labels: labelsAfter(objectAt(metadata, 'labels'), before, after),
      annotations: changed(
        objectAt(metadata, 'annotations'),
        objectAt(before, 'annotations'),
        objectAt(after, 'annotations'),
        [ANNOTATION.nonRoot],
      ),
    },
    spec: withSockets(objectAt(vmi, 'spec'), after.cpu),
    status: {
      ...changed(status, was, is, ['migrationState']),
      conditions: after.conditions,
      ...(Object.keys(state).length > 0 && { migrationState: state }),
    },
  };
}

/** Virt-handler takes the label with the target away, this controller puts it there. */
function labelsAfter(held: JsonObject, before: JsonObject, after: JsonObject): JsonObject {
  const [was, is] = [objectAt(before, 'labels'), objectAt(after, 'labels')];
  const isSet = is[LABEL.migrationTargetNodeName] !== undefined;
  return changed(held, was, is, isSet ? [LABEL.migrationTargetNodeName] : []);
}

/** What is held with what changed between two states, but for some fields. */
function changed(held: JsonObject, was: JsonObject, is: JsonObject, but: readonly string[]): JsonObject {
  const next: Record<string, unknown> = { ...held };
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
    if (but.includes(name) || JSON.stringify(was[name]) === JSON.stringify(is[name])) continue;
    if (name in is) next[name] = is[name];
    else delete next[name];
  }
  return next;
}
