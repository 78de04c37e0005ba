import { buildCommand } from '@stricli/core';
import { strangeRelease } from '../../decide/versions.ts';
import type { CliContext } from '../context.ts';
import { DroverError } from '../errors.ts';
import { releaseTag, text } from '../parsers.ts';
import type { LabRelease } from '../services.ts';
import { type LabFlags, labFlags } from './lab-flags.ts';

interface Flags extends LabFlags {
  readonly version?: string;
  readonly image?: string;
}

export const labUpgrade = buildCommand<Flags, [], CliContext>({
  docs: {
    brief: 'Has the KubeVirt of a lab roll out another release',
    fullDescription:
      'Writes spec.imageTag and spec.imageRegistry of the KubeVirt object, as kubectl edit kubevirt would. drover status -w follows.',
  },
  parameters: {
    flags: {
      ...labFlags,
      version: {
        kind: 'parsed',
        parse: releaseTag,
        optional: true,
        placeholder: 'version',
        brief: 'The release, as v1.9.1',
      },
      image: {
        kind: 'parsed',
        parse: text,
        optional: true,
        placeholder: 'image',
        brief: 'In place of a version: the launcher image, as REGISTRY/virt-launcher:TAG',
      },
    },
  },
  async func(flags) {
    const release = releaseOf(flags);
    await this.services.lab.upgrade(flags.kubeconfig, release);
    const strange = strangeRelease(release.tag);
    if (strange) this.process.stderr.write(`note: ${strange}\n`);
    this.process.stdout.write('KubeVirt rolls it out\n');
  },
});

function releaseOf({ version, image }: Flags): LabRelease {
  if ((version === undefined) === (image === undefined))
    throw new DroverError('WrongFlags', 'give either --version or --image');
  if (version !== undefined) return { tag: version };
  const [, registry, tag] = /^(.+)\/virt-launcher:([^:/]+)$/.exec(image ?? '') ?? [];
  if (registry === undefined || tag === undefined)
    throw new DroverError('WrongFlags', `--image ${image}: it looks like REGISTRY/virt-launcher:TAG`);
  return { tag, registry };
}
