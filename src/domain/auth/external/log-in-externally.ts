import type { ExternalIdentity } from '../../../platform/single-sign-on/external-provider.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import type { Browser } from '../login-activities.ts'
import { completeLogin } from '../sessions.ts'
import type { LoginResult } from '../sessions.ts'
import { linkIdentity, useIdentity } from './identities.ts'
import type { IdentityProvider } from './identities.ts'

// An address that its user has not confirmed proves nothing: another person may have entered it.
const findReattachable = statement<{ params: { email: string; provider: string }; row: { id: string } }>(
  `select u.id from users u where lower(u.email) = $email and u.confirmed_at is not null
     and not exists (select from external_identities i where i.user_id = u.id and i.provider = $provider)
   for no key update`,
)

/** What a verified identity at a provider is used for. */
export interface ExternalLogin {
  readonly provider: IdentityProvider
  readonly identity: ExternalIdentity
}

/**
 * Logs in the user to whom an identity is linked. Returns `unknown` if there is none: the user then creates an account,
 * or proves by its password that an account is theirs. Only if the administrator allows it
 * (`ALLOW_UNSAFE_AUTH_PROVIDER_REATTACH`), a confirmed account with the address that the provider has verified is linked
 * without its password (CVE-2024-25618).
 */
export async function logInExternally(
  tx: Tx,
  {
    provider,
    identity,
    alsoDo,
    ...login
  }: ExternalLogin & {
    browser: Browser
    previousSessionId: string | null
    /** More work in the transaction of the log-in. */
    alsoDo: (tx: Tx, user: { userId: string }) => Promise<void>
  },
): Promise<LoginResult | 'unknown'> {
  const user = (await useIdentity(tx, { provider, uid: identity.uid })) ?? (await reattach(tx, { provider, identity }))
  if (user === null) return 'unknown'
  await alsoDo(tx, user)
  return completeLogin(tx, { ...user, ...login, by: { method: 'omniauth', provider } })
}

async function reattach(tx: Tx, { provider, identity }: ExternalLogin): Promise<{ userId: string } | null> {
  if (!tx.config.singleSignOn.reattaches || identity.email === null || !identity.emailVerified) return null
  const [user] = await findReattachable(tx.db, { email: identity.email.toLowerCase(), provider })
  if (!user) return null
  await linkIdentity(tx, { userId: user.id, provider, uid: identity.uid })
  return { userId: user.id }
}
