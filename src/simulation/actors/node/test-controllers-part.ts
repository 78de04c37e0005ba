import { type JsonObject, objectAt, objectsAt } from '../../../kubevirt/json.ts';
import { CONDITION, LABEL } from '../../../kubevirt/names.ts';

const HANDLERS_CONDITIONS: ReadonlySet<unknown> = new Set([
  CONDITION.liveMigratable,
  CONDITION.storageLiveMigratable,
]);

/** The VMI with what changed in the recording and was not written by virt-handler. */
export function withControllersPart(vmi: JsonObject, before: JsonObject, after: JsonObject): JsonObject {
  const [was, is] = [objectAt(before, 'status'), objectAt(after, 'status')];
  const [hadState, hasState] = [objectAt(was, 'migrationState'), objectAt(is, 'migrationState')];
  const isHandOver = hasState.endTimestamp !== undefined && hadState.endTimestamp === undefined;
  const metadata = objectAt(vmi, 'metadata');
  const labels = isHandOver ? metadata.labels : labelsAfter(objectAt(metadata, 'labels'), before, after);
  const status = { ...objectAt(vmi, 'status'), conditions: conditionsAfter(vmi, before, after) };
  const changed = isHandOver ? {} : changedStatus(was, is);
  const migrationState = stateAfter(objectAt(status, 'migrationState'), hadState, hasState);
  const cpu = { ...objectAt(objectAt(objectAt(vmi, 'spec'), 'domain'), 'cpu'), sockets: after.cpu };
  const domain = { ...objectAt(objectAt(vmi, 'spec'), 'domain'), cpu };
  return {
    ...vmi,
    metadata: { ...metadata, labels },
    spec: { ...objectAt(vmi, 'spec'), domain },
    status: { ...status, ...changed, ...(Object.keys(migrationState).length > 0 && { migrationState }) },
  };
}

function labelsAfter(held: JsonObject, before: JsonObject, after: JsonObject): JsonObject {
  const [was, is] = [objectAt(before, 'labels'), objectAt(after, 'labels')];
  const next: Record<string, unknown> = { ...held };
  for (const [name, value] of Object.entries(is)) if (was[name] !== value) next[name] = value;
  for (const name of Object.keys(was)) {
    if (!(name in is) && name !== LABEL.migrationTargetNodeName) delete next[name];
  }
  return next;
}

function changedStatus(was: JsonObject, is: JsonObject): JsonObject {
  const changed: Record<string, unknown> = {};
  for (const field of ['nodeName', 'evacuationNodeName', 'launcherContainerImageVersion', 'activePods']) {
    if (JSON.stringify(was[field]) !== JSON.stringify(is[field])) changed[field] = is[field];
  }
  const isTheirs = ['Pending', 'Scheduling', 'Scheduled'].includes(String(is.phase));
  if (isTheirs && was.phase !== is.phase) changed.phase = is.phase;
  return changed;
}

function conditionsAfter(vmi: JsonObject, before: JsonObject, after: JsonObject): JsonObject[] {
  const [was, is] = [objectsAt(before, 'conditions'), objectsAt(after, 'conditions')];
  const theirs = ({ type }: JsonObject) => !HANDLERS_CONDITIONS.has(type);
  const changed = is.filter(
    (condition) =>
      theirs(condition) && !was.some((other) => JSON.stringify(other) === JSON.stringify(condition)),
  );
  const gone = was.filter(
    ({ type }) => type !== CONDITION.hotVcpuChange && !is.some((condition) => condition.type === type),
  );
  const replaced = new Set([...changed, ...gone].map(({ type }) => type));
  const kept = objectsAt(objectAt(vmi, 'status'), 'conditions').filter(({ type }) => !replaced.has(type));
  return [...kept, ...changed];
}

function stateAfter(held: JsonObject, was: JsonObject, is: JsonObject): JsonObject {
  if (is.migrationUid !== was.migrationUid) return is;
  return is.abortRequested && !was.abortRequested ? { ...held, abortRequested: true } : held;
}
