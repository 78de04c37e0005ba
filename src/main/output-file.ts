import { constants } from 'node:fs';
import { access, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DroverError } from '../cli/errors.ts';
import { whyUnread } from '../kubevirt/thrown.ts';

/** Files and folders that a user names for answers. What goes wrong with them is a `DroverError`. */

/** `mode` is that of a file that was not there before. */
export function writeOutput(path: string, text: string, mode?: number): Promise<void> {
  return orCannotWrite(path, writeFile(path, text, { mode }));
}

/** Whether it will be possible to write a file, before there is anything to write. */
export async function requireWritable(path: string): Promise<void> {
  // With the dot, a file in the place of the folder is found out.
  const folder = dirname(resolve(path));
  await orCannotWrite(folder, access(`${folder}/.`, constants.W_OK));
  const held = await stat(path).catch(() => undefined);
  if (held?.isDirectory()) throw new DroverError('CannotWrite', `${path} is a folder`);
  if (held) await orCannotWrite(path, access(path, constants.W_OK));
}

/** Makes a folder where there is none. */
export async function requireFolder(path: string): Promise<void> {
  await orCannotWrite(path, makeFolder(resolve(path)));
  await orCannotWrite(path, access(path, constants.W_OK));
}

/** One by one, from the first that is missing: Node's own way of making all of them never ends in `/proc`. */
async function makeFolder(path: string): Promise<void> {
  const held = await stat(path).catch(() => undefined);
  if (held?.isDirectory()) return;
  if (!held) await makeFolder(dirname(path));
  await mkdir(path);
}

async function orCannotWrite(path: string, attempt: Promise<unknown>): Promise<void> {
  try {
    await attempt;
  } catch (error) {
    throw new DroverError('CannotWrite', `${path}: ${whyUnread(error)}`);
  }
}
