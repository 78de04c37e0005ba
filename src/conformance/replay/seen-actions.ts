/** Actions of which a timeline tells little, and the recording what came of them. */
import { cancelEvacuation, mergePatch } from '../../simulation/actors/tenants/tenants.ts';
import type { Stage } from './actions.ts';
import type { RecordedChange, Recording, TimelineAction } from './recording.ts';

const BUDGET = 'PodDisruptionBudget';
/** The recorder may see a change before it is written down who made it. */
const BEFORE_SECONDS = 0.1;
/** An answer takes no longer. */
const ANSWER_SECONDS = 1;

/** What was done to a budget: made, deleted, or given another spec. Nothing where none of that is to be seen. */
export async function changeBudget(
  { recording, simulated: { cluster } }: Stage,
  { t }: TimelineAction,
): Promise<void> {
  const found = budgetChangeFrom(recording, t - BEFORE_SECONDS);
  if (!found) return;
  const { change, name } = found;
  const spec = found.state?.spec;
  const metadata = { name, namespace: recording.name };
  const key = `${recording.name}/${name}`;
  if (change === 'deleted') await cluster.delete(BUDGET, key);
  else if (change === 'modified') await mergePatch(cluster, BUDGET, key, { spec });
  else
    await cluster.create(BUDGET, recording.name, { apiVersion: 'policy/v1', kind: BUDGET, metadata, spec });
}

/** The first from a second on that is not one of the status alone. */
function budgetChangeFrom({ changes }: Recording, second: number): RecordedChange | undefined {
  const specs = new Map<string, string>();
  return changes
    .filter(({ kind }) => kind === BUDGET)
    .find(({ t, change, name, state }) => {
      const spec = JSON.stringify(state?.spec ?? {});
      const isNews = change === 'deleted' || specs.get(name) !== spec;
      specs.set(name, spec);
      return isNews && t >= second;
    });
}

/** One that was refused does nothing; which VMI any other was for, the mark shows that goes. */
export async function cancelEvacuations(
  { simulated: { cluster }, real, recording }: Stage,
  { t, out }: TimelineAction,
): Promise<void> {
  if (String(out).includes('"Failure"')) return;
  for (const { metadata } of [...cluster.fleet.all('VirtualMachineInstance')]) {
    const marks = real.objects
      .get(`VirtualMachineInstance/${metadata.name}`)
      ?.fields.get('evacuationNodeName');
    const isTaken = marks?.some(
      ({ at, value }) => value === undefined && at >= t - BEFORE_SECONDS && at <= t + ANSWER_SECONDS,
    );
    if (isTaken) await cancelEvacuation(cluster, `${recording.name}/${metadata.name}`);
  }
}
