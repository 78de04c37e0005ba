import { spawnSync } from 'node:child_process';

/** Pages whose examples are run. */
export const PAGES_WITH_EXAMPLES: readonly string[] = [
  'README.md',
  'docs/how-to/gate-a-gitops-change.md',
  'docs/how-to/read-a-stuck-drain.md',
];

const EXAMPLE = /```console\n\$ drover ([^\n]*)\n([\s\S]*?)```/g;

/** The page with the output of every example (` ```console`, `$ drover …`) as the program prints it now. */
export function withOutputs(page: string, run: (words: readonly string[]) => string): string {
  return page.replace(EXAMPLE, (_, line: string) => {
    return `\`\`\`console\n$ drover ${line}\n${run(line.split(' '))}\`\`\``;
  });
}

/** Runs the built program. Examples answer a question, so an exit code of 2 is an error here. */
export function runBuilt(program: string): (words: readonly string[]) => string {
  return (words) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' });
    if (status !== 0 && status !== 1)
      throw new Error(`drover ${words.join(' ')} ended with ${status}: ${stderr}`);
    return stdout;
  };
}
