import type { StricliIntegration } from '@stricli/core';
import type { CliContext } from '../context.ts';
import { helpPage } from './page.ts';
import { helpText } from './terminal.ts';

/** `-h, --help` of every command, and what a group of commands prints on its own. */
export function helpFlag(width: number): StricliIntegration<CliContext> {
  return {
    flag: {
      brief: 'Print help',
      aliases: ['h'],
      global: true,
      defaultForRouteMap: true,
      run(_app, { result }) {
        this.process.stdout.write(helpText(helpPage(result.target, result.prefix), width));
      },
    },
  };
}
