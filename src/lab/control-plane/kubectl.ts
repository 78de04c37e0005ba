import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface KubectlResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface KubectlOptions {
  readonly kubeconfig?: string;
  readonly stdin?: string;
  readonly timeoutSeconds?: number;
}

/** Runs the real kubectl to its end. What it ends with is in the result; -1 where it did not end by itself. */
export async function runKubectl(
  assets: string,
  args: readonly string[],
  { kubeconfig = '', stdin, timeoutSeconds = 60 }: KubectlOptions,
): Promise<KubectlResult> {
  const running = promisify(execFile)(join(assets, 'kubectl'), [`--kubeconfig=${kubeconfig}`, ...args], {
    timeout: timeoutSeconds * 1000,
    maxBuffer: 64 * 1024 * 1024,
  });
  running.child.stdin?.end(stdin ?? '');
  try {
    return { code: 0, ...(await running) };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string };
    return { code: typeof code === 'number' ? code : -1, stdout, stderr };
  }
}
