import { buildCommand } from '@stricli/core';
import type { ConfigQuestion, Setting } from '../../forecast/questions.ts';
import type { CliContext } from '../context.ts';
import { DroverError } from '../errors.ts';
import { type PlanFlags, planAliases, planFlags, type TimeFlags, timeFlags } from '../flags.ts';
import { setting, text } from '../parsers.ts';
import { runPlan, timed } from '../plan-command.ts';

type Flags = PlanFlags & TimeFlags & { readonly set?: readonly Setting[]; readonly kubevirt?: string };

export const planConfig = buildCommand<Flags, [], CliContext>({
  docs: {
    brief: 'What a change of the KubeVirt configuration does to every VM, and when',
    fullDescription:
      'Compares the cluster as it is with the cluster under the changed KubeVirt object: whom the change hits at once, whom at the next drain or upgrade, and whom only after a restart.',
  },
  parameters: {
    flags: {
      ...planFlags,
      ...timeFlags,
      set: {
        kind: 'parsed',
        parse: setting,
        optional: true,
        variadic: true,
        placeholder: 'path=value',
        brief:
          'A field of the spec of the KubeVirt object, as in configuration.evictionStrategy=LiveMigrate; may be repeated',
      },
      kubevirt: {
        kind: 'parsed',
        parse: text,
        optional: true,
        placeholder: 'file',
        brief: 'A file with the whole changed KubeVirt object',
      },
    },
    aliases: planAliases,
  },
  func(flags) {
    return runPlan(this, flags, async (fleet, options) => {
      const question = await changeOf(this, flags);
      const forecast = await this.answers.planConfig(fleet, question, options);
      return timed(this, flags, fleet, { action: 'config', question }, options, forecast);
    });
  },
});

async function changeOf(context: CliContext, flags: Flags): Promise<ConfigQuestion> {
  const { set = [], kubevirt: file } = flags;
  if ((set.length === 0) === (file === undefined)) {
    throw new DroverError('WrongFlags', 'say what changes: either --set or --kubevirt');
  }
  if (file === undefined) return { set };
  const kubevirt = (await context.readInput([file])).fleet.kubevirt();
  if (!kubevirt) throw new DroverError('NoKubeVirt', `${file} holds no KubeVirt object`);
  return { kubevirt };
}
