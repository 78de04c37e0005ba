import { JSON_SCHEMA, load } from 'js-yaml';
import { z } from 'zod';

/** What the official client leaves aside in a kubeconfig; the rest passes through, for the client to read and check. */
const execSchema = z.object({
  apiVersion: z.string(),
  command: z.string(),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  provideClusterInfo: z.boolean().nullish(),
  interactiveMode: z.enum(['Never', 'IfAvailable', 'Always']).nullish(),
  installHint: z.string().nullish(),
});

const userSchema = z.looseObject({
  tokenFile: z.string().nullish(),
  exec: execSchema.nullish(),
  as: z.string().nullish(),
  'as-uid': z.string().nullish(),
  'as-groups': z.array(z.string()).nullish(),
  'as-user-extra': z.record(z.string(), z.array(z.string())).nullish(),
});

const clusterSchema = z.looseObject({
  'disable-compression': z.boolean().nullish(),
  /** Configuration that a plugin gets to see. */
  extensions: z.array(z.object({ name: z.string(), extension: z.unknown() })).nullish(),
});

const kubeconfigSchema = z.object({
  'current-context': z.string().nullish(),
  clusters: z.array(z.looseObject({ name: z.string(), cluster: clusterSchema.nullish() })).nullish(),
  users: z.array(z.looseObject({ name: z.string(), user: userSchema.nullish() })).nullish(),
  contexts: z.array(z.unknown()).nullish(),
});

export type ExecConfig = z.infer<typeof execSchema>;
export type UserExtras = z.infer<typeof userSchema>;
export type ClusterExtras = z.infer<typeof clusterSchema>;
type Kubeconfig = z.infer<typeof kubeconfigSchema>;

/** Reads a kubeconfig; an empty file is one without entries. Throws an Error that names the wrong field. */
export function readKubeconfig(text: string): Kubeconfig {
  const parsed = kubeconfigSchema.safeParse(load(text, { schema: JSON_SCHEMA }) ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue?.path.join('.')}: ${issue?.message}`);
}
