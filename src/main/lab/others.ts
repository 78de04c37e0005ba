/** What is done to a lab that runs elsewhere. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LabRelease } from '../../cli/services.ts';
import { connect } from '../../kubernetes/connect.ts';
import { objectAt, objectsAt } from '../../kubevirt/json.ts';
import { isThere } from '../../lab/control-plane/processes.ts';
import { clearRemains } from '../../lab/control-plane/remains.ts';
import { LabError } from '../../lab/errors.ts';
import { labSummary } from '../../lab/summary.ts';
import { follow } from '../follow.ts';
import { removeLeftLabFile, runningLab } from './lab-file.ts';

const KUBEVIRTS = '/apis/kubevirt.io/v1/kubevirts';
const PATIENCE_SECONDS = 60;

/** As one does it on a real cluster: another tag in the CR. */
export async function labUpgrade(kubeconfig: string, { tag, registry }: LabRelease): Promise<void> {
  await runningLab(kubeconfig);
  const api = connect({ kubeconfig });
  try {
    const listed = await api.call({ method: 'GET', path: KUBEVIRTS });
    const [kubevirt] = listed.ok ? objectsAt(listed.object, 'items') : [];
    if (!kubevirt)
      throw new LabError('LabRefused', listed.ok ? 'there is no KubeVirt object' : listed.message);
    const { namespace, name } = objectAt(kubevirt, 'metadata');
    const spec = { imageTag: tag, ...(registry !== undefined && { imageRegistry: registry }) };
    const patched = await api.call({
      method: 'PATCH',
      path: `/apis/kubevirt.io/v1/namespaces/${namespace}/kubevirts/${name}`,
      contentType: 'application/merge-patch+json',
      body: { spec },
    });
    if (!patched.ok) throw new LabError('LabRefused', patched.message);
  } finally {
    await api.close();
  }
}

/** `write` hears what was left of labs that were killed, and is taken away. */
export async function labStatus(
  kubeconfig: string,
  write: (line: string) => void,
): Promise<readonly string[]> {
  await clearRemains(write);
  await runningLab(kubeconfig);
  let lines: readonly string[] = [];
  await follow({ kubeconfig }, async (fleet) => {
    lines = labSummary(fleet);
    return false;
  });
  return lines;
}

/** Also where the lab was killed: then its kubeconfig is what is left to be taken away. */
export async function labDown(kubeconfig: string, write: (line: string) => void): Promise<void> {
  await clearRemains(write);
  if (await removeLeftLabFile(kubeconfig)) return;
  const pid = await runningLab(kubeconfig);
  process.kill(pid, 'SIGTERM');
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  while (isThere(pid)) {
    if (Date.now() > end) throw new LabError('LabRefused', `process ${pid} does not end`);
    await sleep(100);
  }
}
