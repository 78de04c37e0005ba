/** Edits of the template of a VM that runs. */
import { aVm, aVmi } from '../../kubevirt/builders.ts';
import type { VmiSpec } from '../../kubevirt/objects.ts';
import { parseInstant } from '../../kubevirt/time.ts';
import type { LiveEdit } from './edit.ts';
import { decideLiveEdit } from './live-edit.ts';
import type { LiveEditInput } from './result.ts';

const now = parseInstant('2026-03-01T12:00:00Z') ?? 0;
export const migrating = { startTimestamp: '2026-03-01T11:59:00Z' };
type Cpu = NonNullable<NonNullable<VmiSpec['domain']>['cpu']>;

export const template: VmiSpec = {
  architecture: 'amd64',
  domain: { cpu: { sockets: 1, cores: 2 }, memory: { guest: '1Gi' } },
};

export const running = (cpu: Cpu = { sockets: 1, maxSockets: 4 }) => aVmi().spec({ domain: { cpu } });
export const sockets = (value: number): LiveEdit => ({ path: 'cpu.sockets', value });

export function edit(change: Partial<LiveEditInput> & { edit: LiveEdit }): LiveEditInput {
  return {
    vm: aVm().template(template).build(),
    vmi: running().build(),
    rolloutStrategy: 'LiveUpdate',
    now,
    ...change,
  };
}

export function told(input: LiveEditInput) {
  const { reason, result } = decideLiveEdit(input);
  return [reason, result.effect, result.message];
}
