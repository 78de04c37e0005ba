import { type Application, proposeCompletions } from '@stricli/core';
import type { CliContext } from '../context.ts';

/** Tells the shell that asks: no file names; or file names where nothing else is proposed (cobra's protocol, which kubectl speaks). */
const NO_FILES = ':4';
const FILES = ':0';

/** Flags whose value is a file. */
const FILE_FLAGS: ReadonlySet<string> = new Set(['-f', '--filename', '--kubeconfig', '--kubevirt']);

/**
 * Proposals for the last of the words, one a line with its description behind a tab, and a last line that says whether
 * file names fit too: the protocol of cobra, so that one answer serves bash, zsh, fish and kubectl.
 */
export async function complete(
  app: Application<CliContext>,
  words: readonly string[],
  context: CliContext,
): Promise<string> {
  if (FILE_FLAGS.has(words[words.length - 2] ?? '')) return `${FILES}\n`;
  const proposals = (await proposeCompletions(app, words, context)).filter(
    ({ completion }) => completion !== '--',
  );
  const lines = proposals.map(({ completion, brief }) => `${completion}\t${brief.split('\n')[0]}`);
  return [...lines, NO_FILES, ''].join('\n');
}
