import { ANNOTATION } from '../../kubevirt/names.ts';
import { annotationOf } from '../../kubevirt/predicates.ts';
import { vmiField } from '../evidence.ts';
import type { Evidence } from '../rules.ts';
import type { MigratabilityInput } from './input.ts';

type Interface = NonNullable<ReturnType<typeof interfacesOf>>[number];

function interfacesOf({ vmi }: MigratabilityInput) {
  return vmi.spec?.domain?.devices?.interfaces ?? [];
}

function podNetworkOf({ vmi }: MigratabilityInput): string | undefined {
  return vmi.spec?.networks?.find(({ pod }) => pod !== undefined)?.name;
}

function podInterfaceOf(input: MigratabilityInput): Interface | undefined {
  const network = podNetworkOf(input);
  return interfacesOf(input).find(({ name }) => name === network);
}

/**
 * Why the connection to the pod network would not survive a migration (migratability §3 of the spec;
 * pkg/network/vmispec/interface.go:58-88).
 *
 * Promise: `undefined` when it would, or when the VMI has no interface or no pod network.
 */
export function networkProblem(input: MigratabilityInput): string | undefined {
  const network = podNetworkOf(input);
  if (interfacesOf(input).length === 0 || network === undefined) return undefined;
  const podInterface = podInterfaceOf(input);
  if (!podInterface) return `no primary interface found for network ${network}`;
  if (canFollow(input, podInterface)) return undefined;
  return 'cannot migrate VMI which does not use masquerade or a migratable plugin to connect to the pod network';
}

function canFollow({ vmi, configuration }: MigratabilityInput, podInterface: Interface): boolean {
  if (podInterface.masquerade || podInterface.passtBinding) return true;
  if (podInterface.bridge && annotationOf(vmi, ANNOTATION.allowBridgeMigration) !== undefined) return true;
  const plugin = podInterface.binding?.name;
  return plugin !== undefined && configuration?.network?.binding?.[plugin]?.migration !== undefined;
}

/** What `networkProblem` looked at. */
export function networkFields(input: MigratabilityInput): Evidence[] {
  const { vmi } = input;
  const network = podNetworkOf(input);
  const allowed = annotationOf(vmi, ANNOTATION.allowBridgeMigration);
  return [
    vmiField(vmi, `spec.domain.devices.interfaces[name=${network ?? ''}]`, podInterfaceOf(input)),
    vmiField(vmi, `metadata.annotations[${ANNOTATION.allowBridgeMigration}]`, allowed),
  ];
}
