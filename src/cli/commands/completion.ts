import { buildCommand } from '@stricli/core';
import type { CliContext } from '../context.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export const completion = buildCommand<Record<never, never>, [Shell], CliContext>({
  docs: {
    brief: 'Prints the completion script for a shell',
    fullDescription: [
      'bash: source <(drover completion bash)',
      'zsh:  source <(drover completion zsh)',
      'fish: drover completion fish | source',
      'kubectl: put kubectl_complete-drover (it lies beside the program) on the PATH; kubectl does the rest.',
    ].join('\n'),
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: shell,
          placeholder: 'bash|zsh|fish',
          brief: 'The shell',
          proposeCompletions: (partial: string) => SHELLS.filter((name) => name.startsWith(partial)),
        },
      ],
    },
  },
  async func(_flags, name) {
    const { SCRIPTS } = await import('../completion/scripts.ts');
    this.process.stdout.write(SCRIPTS[name]);
  },
});

function shell(text: string): Shell {
  const known = SHELLS.find((name) => name === text);
  if (!known) throw new Error(`it must be one of ${SHELLS.join(', ')}`);
  return known;
}
