/** VMIs whose launchers are looked at. */
import { aVmi } from '../../kubevirt/builders.ts';
import type { Vmi, VmiSpec } from '../../kubevirt/objects.ts';

export const withDomain = (domain: VmiSpec['domain'], spec: VmiSpec = {}): Vmi =>
  aVmi('db')
    .spec({ ...spec, domain })
    .build();

export const small = { cpu: { sockets: 1, cores: 1, threads: 1 }, memory: { guest: '64Mi' } };
