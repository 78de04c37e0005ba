import { buildCommand } from '@stricli/core';
import { liveSource } from '../ask.ts';
import type { CliContext } from '../context.ts';
import { inputFlags } from '../flags.ts';
import { positiveNumber, positiveWholeNumber, text } from '../parsers.ts';
import { behaviourFlag } from './lab-flags.ts';

interface Flags {
  readonly nodes: number;
  readonly prefix: string;
  readonly speed: number;
  readonly behaviour?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly printRbac: boolean;
  readonly kubevirtNamespace: string;
}

export const labAgents = buildCommand<Flags, [], CliContext>({
  docs: {
    brief: 'Plays nodes on any cluster: kubelets, virt-handlers and guests, and nothing else',
    fullDescription: [
      "Makes nodes on a cluster and plays what runs on them: pods start and end, guests boot, move and shut down. KubeVirt's own control",
      "plane, or Drover's, does the rest. VMIs are written in the name of virt-handler's account on their node, as its admission demands.",
      '',
      'Only nodes with the label drover.dev/lab-node are played. They stay when the command ends on SIGTERM or SIGINT, and it goes on with',
      'them when it is started again; kubectl delete nodes -l drover.dev/lab-node takes them away.',
    ].join('\n'),
  },
  parameters: {
    flags: {
      context: inputFlags.context,
      kubeconfig: inputFlags.kubeconfig,
      nodes: {
        kind: 'parsed',
        parse: positiveWholeNumber,
        default: '10',
        placeholder: 'number',
        brief: 'Nodes to play',
      },
      prefix: {
        kind: 'parsed',
        parse: text,
        default: 'lab-',
        placeholder: 'text',
        brief: 'What their names begin with',
      },
      speed: {
        kind: 'parsed',
        parse: positiveNumber,
        default: '1',
        placeholder: 'number',
        brief: 'How many times as fast nodes boot pods and guests, and guests move and end',
      },
      behaviour: behaviourFlag,
      printRbac: {
        kind: 'boolean',
        default: false,
        brief: 'Print the account and the rights that this needs, for kubectl apply, and end',
      },
      kubevirtNamespace: {
        kind: 'parsed',
        parse: text,
        default: 'kubevirt',
        placeholder: 'namespace',
        brief: 'With --print-rbac: where KubeVirt is installed',
      },
    },
  },
  async func({ printRbac, kubevirtNamespace, ...flags }) {
    const write = (line: string): void => void this.process.stdout.write(line);
    if (printRbac) return write(await this.services.lab.agentRights(kubevirtNamespace));
    const { nodes, prefix, speed, behaviour: behaviourFile } = flags;
    const source = liveSource({ ...flags, behavior: 'intended' });
    await this.services.lab.agents({ source, nodes, prefix, speed, behaviourFile, write });
  },
});
