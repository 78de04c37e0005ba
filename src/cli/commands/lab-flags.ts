import { text } from '../parsers.ts';

/** Where `lab up` writes the kubeconfig of its lab, and where the others look for it. */
export const LAB_KUBECONFIG = 'drover-lab.kubeconfig';

export interface LabFlags {
  readonly kubeconfig: string;
}

/** Of the commands on a lab that runs. */
export const labFlags = {
  kubeconfig: {
    kind: 'parsed',
    parse: text,
    default: LAB_KUBECONFIG,
    placeholder: 'file',
    brief: 'The kubeconfig that drover lab up has written',
  },
} as const;

/** Of the commands that play guests. */
export const behaviourFlag = {
  kind: 'parsed',
  parse: text,
  optional: true,
  placeholder: 'file',
  brief: 'How guests behave, as docs/concepts/nodes-and-guests.md says; by lab/ annotations if not given',
} as const;
