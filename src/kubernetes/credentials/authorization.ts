import { readFileSync } from 'node:fs';
import type { User } from '@kubernetes/client-node/dist/config_types.js';
import { OpenIDConnectAuth } from '@kubernetes/client-node/dist/oidc_auth.js';
import type { UserExtras } from './kubeconfig-shape.ts';

/** Renews tokens of identity providers; keeps what it got for the process. */
const openIdConnect = new OpenIDConnectAuth();

/**
 * The Authorization header of a user without a plugin: a token from its file (read anew each time, since kubelet and others
 * renew it), the token, name and password, or the token of an OpenID Connect provider. Undefined where there is none of them.
 */
export async function authorizationOf(user: User, extras: UserExtras): Promise<string | undefined> {
  const token = extras.tokenFile ? readFileSync(extras.tokenFile, 'utf8').trim() : user.token;
  if (token) return `Bearer ${token}`;
  if (user.username) {
    return `Basic ${Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64')}`;
  }
  if (!user.authProvider || !openIdConnect.isAuthProvider(user)) return undefined;
  const options: { headers: Record<string, string> } = { headers: {} };
  await openIdConnect.applyAuthentication(user, options);
  return options.headers.Authorization;
}
