import { describe, expect, it } from 'vitest';
import type { Vmi } from '../../kubevirt/objects.ts';
import { amountsOf } from '../placement/resources.ts';
import { changedLauncher } from './changed-launcher.ts';
import { launcherPod } from './launcher-pod.ts';
import { withDomain } from './test-launcher-pod.ts';

const ONE = { sockets: 1, cores: 1, threads: 1 };

type Domain = Parameters<typeof withDomain>[0];

/** A VMI that may be given more while it runs, and whose guest has one CPU and 1Gi. */
function running(domain: Domain): Vmi {
  const status = { currentCPUTopology: ONE, memory: { guestRequested: '1Gi' } };
  return { ...withDomain(domain), status } as Vmi;
}

function domainOf(sockets: number, guest: string, more: Partial<Domain> = {}): Domain {
  const memory = { guest, maxGuest: '8Gi' };
  return { cpu: { ...ONE, sockets, maxSockets: 8 }, memory, ...more } as Domain;
}

const asks = ({ spec }: ReturnType<typeof launcherPod>) => {
  const { requests, limits } = spec?.containers?.[0]?.resources ?? {};
  return { requests: Object.fromEntries(amountsOf(requests)), limits: Object.fromEntries(amountsOf(limits)) };
};

describe('the next launcher of a guest that is to be given more', () => {
  const GPU = { devices: { gpus: [{ name: 'g', deviceName: 'd' }] } };
  const PINNED = { ...ONE, maxSockets: 8, dedicatedCpuPlacement: true };

  it.each<[string, Domain, Domain, number | undefined]>([
    ['CPUs', domainOf(1, '1Gi'), domainOf(3, '1Gi'), undefined],
    ['memory', domainOf(1, '1Gi'), domainOf(1, '2Gi'), undefined],
    ['both, with a GPU', domainOf(1, '1Gi', GPU), domainOf(2, '4Gi', GPU), undefined],
    ['CPUs where each is asked for whole', domainOf(1, '1Gi'), domainOf(4, '1Gi'), 1],
    [
      'CPUs of its own',
      domainOf(1, '1Gi', { cpu: PINNED }),
      domainOf(1, '1Gi', { cpu: { ...PINNED, sockets: 2 } }),
      undefined,
    ],
  ])('asks for what KubeVirt would render: %s', (_, before, after, cpuAllocationRatio) => {
    const configuration = { developerConfiguration: { cpuAllocationRatio } };
    const rendered = (domain: Domain) => launcherPod({ vmi: running(domain), image: 'i', configuration });
    const next = changedLauncher(rendered(before), running(after));
    expect(asks(next)).toEqual(asks(rendered(after)));
    expect(asks(next)).not.toEqual(asks(rendered(before)));
  });

  it('is the same pod where nothing is to change', () => {
    const vmi = running(domainOf(1, '1Gi'));
    const pod = launcherPod({ vmi, image: 'i', configuration: undefined });
    expect(changedLauncher(pod, vmi)).toBe(pod);
  });

  it('asks for nothing more that today’s does not ask for, as in a dump without resources', () => {
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'compute' }] } };
    expect(changedLauncher(pod, running(domainOf(2, '2Gi'))).spec?.containers).toEqual([
      { name: 'compute', resources: {} },
    ]);
  });
});
