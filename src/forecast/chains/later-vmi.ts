import { CONDITION } from '../../kubevirt/names.ts';
import type { Pod, Vmi } from '../../kubevirt/objects.ts';
import type { Context } from '../context.ts';
import { launcherImageOf, launcherImageToday } from '../launcher-image.ts';
import { stampedAnew } from './next-vmi.ts';

/** A VMI that is starting, as it is once its guest runs: on the node of its launcher, Ready and with an address. */
export function onceItRuns({ fleet }: Context, vmi: Vmi, launcher: Pod): Vmi {
  const launcherContainerImageVersion = launcherImageOf(launcher) ?? launcherImageToday(fleet, vmi);
  const conditions = vmi.status?.conditions?.filter(({ type }) => type !== CONDITION.ready);
  const running = { phase: 'Running', nodeName: launcher.spec?.nodeName, interfaces: undefined };
  return { ...vmi, status: { ...vmi.status, ...running, conditions, launcherContainerImageVersion } };
}

/** The next VMI of a VM whose VMI is being deleted, as it is once its guest runs. */
export function startedAnew(context: Context, vmi: Vmi): Vmi {
  const { deletionTimestamp: _, ...metadata } = vmi.metadata;
  const launcherContainerImageVersion = launcherImageToday(context.fleet, vmi);
  const status = { ...vmi.status, evacuationNodeName: undefined, launcherContainerImageVersion };
  return stampedAnew(context, { ...vmi, metadata, status });
}
