import { buildCommand } from '@stricli/core';
import type { Behavior } from '../../decide/rules.ts';
import { BASELINE, formatVersion } from '../../decide/versions.ts';
import type { CliContext } from '../context.ts';
import { DroverError } from '../errors.ts';
import { inputFlags } from '../flags.ts';
import { positiveNumber, positiveWholeNumber, releaseTag, text, vmCount } from '../parsers.ts';
import { behaviourFlag, LAB_KUBECONFIG } from './lab-flags.ts';

const NODES = 10;
const VMS = 200;

interface Flags {
  readonly snapshot?: string;
  readonly nodes?: number;
  readonly vms?: number;
  readonly speed: number;
  readonly kubevirtVersion: string;
  readonly behaviour?: string;
  readonly kubeconfigOut: string;
  readonly behavior: Behavior;
}

export const labUp = buildCommand<Flags, [], CliContext>({
  docs: {
    brief: 'Runs a KubeVirt cluster without hypervisors on this machine, for kubectl',
    fullDescription: [
      'Starts etcd, kube-apiserver, scheduler and controller-manager, plays KubeVirt and the nodes on them, with Drover in the place',
      'of the workload updater, the evacuation controller and the eviction webhook; writes a kubeconfig, and shows what happens.',
      'kubectl get, drain, edit and the like, and virtctl start, stop, restart and migrate, do what they do on a KubeVirt.',
      '',
      'With --snapshot it begins with the objects of a cluster, so that its upgrade can be tried here first. Other pods than',
      "VMs' are there, but nobody makes them anew.",
      '',
      'Ends on SIGTERM or SIGINT, and leaves nothing behind. Needs the programs of a control plane: KUBEBUILDER_ASSETS, or',
      'those that npm run lab:assets has built.',
    ].join('\n'),
  },
  parameters: {
    flags: {
      snapshot: {
        kind: 'parsed',
        parse: text,
        optional: true,
        placeholder: 'file|dir',
        brief: 'What kubectl get -o yaml|json wrote of a cluster, to begin with',
      },
      nodes: {
        kind: 'parsed',
        parse: positiveWholeNumber,
        optional: true,
        placeholder: 'number',
        brief: `Nodes, where there is no snapshot; ${NODES} if not given`,
      },
      vms: {
        kind: 'parsed',
        parse: vmCount,
        optional: true,
        placeholder: 'number',
        brief: `VMs, where there is no snapshot; ${VMS} if not given`,
      },
      speed: {
        kind: 'parsed',
        parse: positiveNumber,
        default: '1',
        placeholder: 'number',
        brief:
          "How many times as fast nodes boot pods and guests, guests move and end, and roll-outs go; KubeVirt's time-outs and intervals stay",
      },
      kubevirtVersion: {
        kind: 'parsed',
        parse: releaseTag,
        default: formatVersion(BASELINE),
        placeholder: 'version',
        brief: 'The KubeVirt that is installed, where no snapshot tells',
      },
      behaviour: behaviourFlag,
      kubeconfigOut: {
        kind: 'parsed',
        parse: text,
        default: LAB_KUBECONFIG,
        placeholder: 'file',
        brief: 'Where to write the kubeconfig; it is gone when the lab is',
      },
      behavior: { ...inputFlags.behavior, default: 'intended' },
    },
  },
  async func({ behaviour: behaviourFile, kubevirtVersion: version, ...flags }) {
    const { snapshot, nodes = NODES, vms = VMS } = flags;
    if (snapshot !== undefined && (flags.nodes ?? flags.vms) !== undefined)
      throw new DroverError('WrongFlags', '--nodes and --vms are for a lab without --snapshot');
    const { isTerminal = false } = this.terminal;
    const write = (line: string): void => void this.process.stdout.write(line);
    await this.services.lab.up({
      ...flags,
      nodes,
      vms,
      behaviourFile,
      version,
      isTerminal,
      write,
    });
  },
});
