/** Traps that keep the workload updater from seeing or doing its work. */
import { field, vmiField } from '../../decide/evidence.ts';
import { decide } from '../../decide/rules.ts';
import { formatVersion, isKnownVersion, KNOWN_VERSIONS } from '../../decide/versions.ts';
import { gateTable } from '../../decide/workload-update/gates.ts';
import type { KubeVirt, Vmi } from '../../kubevirt/objects.ts';
import { isMigrating, keyOf } from '../../kubevirt/predicates.ts';
import { type Instant, parseInstant } from '../../kubevirt/time.ts';
import { counted } from '../../kubevirt/words.ts';
import { inNamespaceOf, shellWord, target } from './commands.ts';
import type { LintContext } from './context.ts';
import type { LintRule } from './finding.ts';
import { found, lasting, verb } from './words.ts';

const KIND = 'VirtualMachineInstance';
/** virt-controller fills the image in within seconds of the start and of each migration. */
const IMAGE_DUE_SECONDS = 600;

export const updateGateClosed: LintRule = {
  code: 'DRV005',
  name: 'UpdateGateClosed',
  severity: 'warning',
  title: 'the workload updater is not allowed to act',
  explains:
    'The updater acts only while the KubeVirt CR is `Deployed` and the deployment that is ready is the one that is wanted. ' +
    'During an upgrade that is a matter of minutes. An operator that is stuck keeps the gate shut: no launcher is updated, ' +
    'no CPU, memory, network or volume change is carried out, and the count of outdated VMIs stands still.',
  needs: ['KubeVirt'],
  find: ({ kubevirt, forecast }) => {
    if (!kubevirt) return [];
    const gate = decide(gateTable, { kubevirt, now: forecast.now });
    if (gate.result.open) return [];
    return found(
      'KubeVirt',
      [kubevirt],
      (cr) => cr,
      () => ({
        cause: `No roll-out and no live update happens now: ${whyClosed(kubevirt, gate.reason)}.`,
        cure: `Wait for virt-operator. If it is stuck, see what it says: \`kubectl describe kubevirt ${target(kubevirt)}\``,
        evidence: gate.evidence,
      }),
    );
  },
};

function whyClosed({ status }: KubeVirt, reason: string): string {
  return reason === 'GateNotDeployed'
    ? `the phase is ${status?.phase || 'not set'}, not Deployed`
    : `deployment ${status?.observedDeploymentID || '(none)'} is ready, but ${status?.targetDeploymentID || '(none)'} is wanted`;
}

export const versionOutOfRange: LintRule = {
  code: 'DRV006',
  name: 'VersionOutOfRange',
  severity: 'warning',
  title: 'forecasts are made for another KubeVirt version than this one',
  explains:
    'Drover knows how KubeVirt 1.5 to 1.9 treat evictions, drains and roll-outs. An older or newer KubeVirt is forecast as ' +
    'the nearest of them, and one that does not tell its version as the newest. What changed since is not in the forecast.',
  needs: ['KubeVirt'],
  find: ({ kubevirt, settings }) => {
    const cause = kubevirt && versionCause(settings);
    if (!kubevirt || !cause) return [];
    const path = 'status.observedKubeVirtVersion';
    return found(
      'KubeVirt',
      [kubevirt],
      (cr) => cr,
      () => ({
        cause,
        cure: 'Read the forecasts with care, and name the version where it is only missing: `drover lint --kubevirt-version 1.9`',
        evidence: [field(kubevirt, path, kubevirt.status?.observedKubeVirtVersion, 'KubeVirt')],
      }),
    );
  },
};

function versionCause({ version, versionSource }: LintContext['settings']): string | undefined {
  if (versionSource === 'assumed') {
    return `The CR does not say which version runs, so ${formatVersion(version)} is assumed.`;
  }
  if (isKnownVersion(version)) return undefined;
  return `The cluster runs KubeVirt ${formatVersion(version)}; forecasts are made for ${KNOWN_VERSIONS}.`;
}

export const launcherImageUnknown: LintRule = {
  code: 'DRV011',
  name: 'LauncherImageUnknown',
  severity: 'warning',
  title: 'VMIs have run for long without a known launcher image',
  explains:
    '`status.launcherContainerImageVersion` is empty for seconds after a start or a migration. A VMI that has it empty for ' +
    'longer counts as up to date for ever: no roll-out updates its launcher, and it is missing in the count of outdated ' +
    'VMIs. It usually means that virt-controller does not find the pod of the VMI.',
  needs: [KIND, 'the time'],
  find: (cluster) => {
    const { now } = cluster;
    if (now === undefined) return [];
    const silent = cluster.runningVmis().filter((vmi) => isOverdue(vmi, now));
    return found(
      KIND,
      silent,
      (vmi) => vmi,
      (first, count) => ({
        cause: `${counted(count, 'VMI')} ${verb(count, 'has', 'have')} an empty status.launcherContainerImageVersion; ${keyOf(first)} has been running for ${lasting(now - (runningSince(first) ?? now))}.`,
        cure: `See whether the VMI has its pod, and restart the VM if not: \`kubectl get pods ${inNamespaceOf(first)} -l kubevirt.io/created-by=${shellWord(first.metadata.uid ?? '')}\``,
        evidence: [
          vmiField(
            first,
            'status.launcherContainerImageVersion',
            first.status?.launcherContainerImageVersion,
          ),
          vmiField(first, 'status.phaseTransitionTimestamps[phase=Running]', runningAt(first)),
        ],
      }),
    );
  },
};

function isOverdue(vmi: Vmi, now: Instant): boolean {
  if (vmi.status?.launcherContainerImageVersion || isMigrating(vmi, now)) return false;
  const since = runningSince(vmi);
  return since !== undefined && now - since > IMAGE_DUE_SECONDS * 1000;
}

/** When the VMI began to run or was last migrated, whichever is later. */
function runningSince({ metadata, status }: Vmi): Instant | undefined {
  const startedAt = parseInstant(runningAt({ metadata, status }) ?? metadata.creationTimestamp);
  const movedAt = parseInstant(status?.migrationState?.endTimestamp);
  return startedAt === undefined ? movedAt : Math.max(startedAt, movedAt ?? startedAt);
}

function runningAt({ status }: Vmi): string | undefined {
  const entry = status?.phaseTransitionTimestamps?.find(({ phase }) => phase === 'Running');
  return entry?.phaseTransitionTimestamp;
}
