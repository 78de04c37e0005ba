import { codedBy, type ErrorTable } from '../kubevirt/coded-error.ts';

/** What can go wrong with a lab, by code. The codes are stable. */
export const LAB_ERRORS = {
  LabAssetsMissing: {
    cause: 'The lab runs a real control plane, and its programs are not on this machine.',
    cure: 'Set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver, kube-controller-manager, kube-scheduler and kubectl of one Kubernetes version; or run npm run lab:assets in a checkout of Drover with Go installed, which builds them into the cache that every Drover of this user finds.',
  },
  LabNotRunning: {
    cause: 'No lab runs that the kubeconfig names.',
    cure: 'Start one with drover lab up, and name its kubeconfig with --kubeconfig.',
  },
  LabKubeconfigTaken: {
    cause: 'The kubeconfig to write is there already, and is not of a lab that has ended.',
    cure: 'End that lab with drover lab down, or write another file with --kubeconfig-out.',
  },
  LabFolderUnwritable: {
    cause: 'The lab keeps its data in a folder of its own among the temporary files, and cannot write there.',
    cure: 'Make room there, or name another folder for temporary files with TMPDIR.',
  },
  LabBroken: {
    cause:
      'A program of the lab’s control plane has ended by itself, and without it the lab shows nothing true.',
    cure: 'Start the lab anew; what the program said last tells more, such as that memory or disk ran out.',
  },
  AgentsRefused: {
    cause:
      'Node agents do not come up on a cluster: it does not answer, or their account may not do what they do.',
    cure: 'Check the kubeconfig with kubectl get nodes; drover lab agents --print-rbac has the rights that they need, for kubectl apply.',
  },
  LabRefused: {
    cause: 'The API server refused something that the lab needs.',
    cure: 'The message says what; a lab of a snapshot needs a snapshot that drover lint reads without complaints.',
  },
} as const satisfies ErrorTable;

/** An error of the lab that a user can do something about. */
export class LabError extends codedBy(LAB_ERRORS) {
  override readonly name = 'LabError';
}
