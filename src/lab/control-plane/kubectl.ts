import { join } from 'node:path';
import { type ProgramOptions, type ProgramResult, runProgram } from '../run-program.ts';

export interface KubectlOptions extends Omit<ProgramOptions, 'env'> {
  readonly kubeconfig?: string | undefined;
}

/** Runs the real kubectl to its end; for a minute at most where nothing else is said. */
export function runKubectl(
  assets: string,
  args: readonly string[],
  { kubeconfig = '', timeoutSeconds = 60, stdin }: KubectlOptions,
): Promise<ProgramResult> {
  const words = [`--kubeconfig=${kubeconfig}`, ...args];
  return runProgram(join(assets, 'kubectl'), words, { timeoutSeconds, stdin });
}
