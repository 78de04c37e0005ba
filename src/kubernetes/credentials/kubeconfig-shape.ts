import { JSON_SCHEMA, load } from 'js-yaml';
import { z } from 'zod';

/** What the official client leaves aside in a kubeconfig; the rest it reads and checks itself. */
const execSchema = z.object({
  apiVersion: z.string(),
  command: z.string(),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  provideClusterInfo: z.boolean().nullish(),
  interactiveMode: z.enum(['Never', 'IfAvailable', 'Always']).nullish(),
  installHint: z.string().nullish(),
});

const userSchema = z.object({
  tokenFile: z.string().nullish(),
  exec: execSchema.nullish(),
  as: z.string().nullish(),
  'as-uid': z.string().nullish(),
  'as-groups': z.array(z.string()).nullish(),
  'as-user-extra': z.record(z.string(), z.array(z.string())).nullish(),
});

const clusterSchema = z.object({
  'disable-compression': z.boolean().nullish(),
  /** Configuration that a plugin gets to see. */
  extensions: z.array(z.object({ name: z.string(), extension: z.unknown() })).nullish(),
});

const kubeconfigSchema = z.object({
  'current-context': z.string().nullish(),
  clusters: z.array(z.object({ name: z.string(), cluster: clusterSchema.nullish() })).nullish(),
  users: z.array(z.object({ name: z.string(), user: userSchema.nullish() })).nullish(),
});

export type ExecConfig = z.infer<typeof execSchema>;
export type UserExtras = z.infer<typeof userSchema>;
export type ClusterExtras = z.infer<typeof clusterSchema>;
export type KubeconfigExtras = z.infer<typeof kubeconfigSchema>;

/** Reads what the official client does not. Throws an Error that names the wrong field. */
export function readExtras(text: string): KubeconfigExtras {
  const parsed = kubeconfigSchema.safeParse(load(text, { schema: JSON_SCHEMA }) ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue?.path.join('.')}: ${issue?.message}`);
}
