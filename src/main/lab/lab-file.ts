import { existsSync, readFileSync, rmSync } from 'node:fs';
import { connect } from '../../kubernetes/connect.ts';
import { isJsonObject, objectAt, objectsAt } from '../../kubevirt/json.ts';
import { isThere } from '../../lab/control-plane/processes.ts';
import { LabError } from '../../lab/errors.ts';
import { writeOutput } from '../output-file.ts';

/** The kubeconfig of a lab says whose it is: kubectl passes over extensions that it does not know. */
const EXTENSION = 'drover.dev/lab';

/** Writes the kubeconfig of the lab that this process runs. Throws `CannotWrite`, and leaves no part of it. */
export async function writeLabFile(file: string, kubeconfig: string): Promise<void> {
  const config: unknown = JSON.parse(readFileSync(kubeconfig, 'utf8'));
  if (!isJsonObject(config)) throw new Error(`${kubeconfig} is no kubeconfig`);
  const extensions = [{ name: EXTENSION, extension: { pid: process.pid } }];
  try {
    await writeOutput(file, `${JSON.stringify({ ...config, extensions }, undefined, 2)}\n`, 0o600);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

export function removeLabFile(file: string): void {
  if (pidIn(file) === process.pid) rmSync(file, { force: true });
}

/** Removes the kubeconfig of a lab that was killed, and left it; whether it was of one. */
export async function removeLeftLabFile(file: string): Promise<boolean> {
  const pid = pidIn(file);
  if (pid === undefined || isThere(pid) || (await answers(file))) return false;
  rmSync(file, { force: true });
  return true;
}

/** The process that runs the lab of a kubeconfig. Throws `LabNotRunning`, also where a lab was killed and its file is left. */
export async function runningLab(file: string): Promise<number> {
  if (!existsSync(file)) throw new LabError('LabNotRunning', `there is no ${file}`);
  const pid = pidIn(file);
  if (pid === undefined) throw new LabError('LabNotRunning', `${file} is no kubeconfig of a lab`);
  if (!(await answers(file))) throw new LabError('LabNotRunning', `the lab of ${file} has ended`);
  return pid;
}

/** Throws `LabKubeconfigTaken` unless the file may be written: it is not there, or of a lab that has ended. */
export async function requireFree(file: string): Promise<void> {
  if (!existsSync(file)) return;
  if (pidIn(file) === undefined) throw new LabError('LabKubeconfigTaken', `${file} is not of a lab`);
  if (await answers(file)) throw new LabError('LabKubeconfigTaken', `${file} is of a lab that runs`);
}

/** The parts of a lab never outlive the process that runs it, so an API server that answers means that it is there. */
async function answers(file: string): Promise<boolean> {
  const api = connect({ kubeconfig: file, requestTimeoutSeconds: 5 });
  try {
    return (await api.call({ method: 'GET', path: '/version' })).ok;
  } finally {
    await api.close();
  }
}

function pidIn(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const config: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const told = isJsonObject(config) ? objectsAt(config, 'extensions') : [];
    const found = told.find(({ name }) => name === EXTENSION);
    const pid = found && objectAt(found, 'extension').pid;
    return typeof pid === 'number' ? pid : undefined;
  } catch {
    return undefined;
  }
}
