import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { revokeTokens } from './access-tokens.ts'
import { WEB_CLIENT_ID } from './web-client.ts'

/** An application that holds access tokens of a user. */
export interface AuthorizedApplication {
  id: string
  name: string
  website: string | null
  /** The scopes of all its tokens. */
  scopes: string[]
  authorizedAt: Date
  /** Accurate to a day; null: never used. */
  lastUsedAt: Date | null
}

// The web client is part of this server, and its tokens end with their sessions.
const IS_OTHER_APPLICATION = `application_id is distinct from (select id from applications where client_id = '${WEB_CLIENT_ID}')`

const list = statement<{
  params: { userId: string }
  row: AuthorizedApplication
  notNull: 'authorizedAt' | 'scopes'
}>(
  `select a.id, a.name, a.website, min(t.created_at) as "authorizedAt", max(t.last_used_at) as "lastUsedAt",
     array(select distinct scope from access_tokens held, unnest(held.scopes) scope
           where held.user_id = $userId and held.application_id = a.id and held.revoked_at is null order by scope) as scopes
   from access_tokens t join applications a on a.id = t.application_id
   where t.user_id = $userId and t.revoked_at is null and t.${IS_OTHER_APPLICATION}
   group by a.id order by max(t.last_used_at) desc nulls last, a.id desc`,
)
const removeCodes = statement<{ params: { userId: string; applicationId: string } }>(
  `delete from authorization_codes where user_id = $userId and application_id = $applicationId and ${IS_OTHER_APPLICATION}`,
)
const findTokens = statement<{ params: { userId: string; applicationId: string }; row: { id: string } }>(
  `select id from access_tokens
   where user_id = $userId and application_id = $applicationId and revoked_at is null and ${IS_OTHER_APPLICATION}`,
)

/** Returns the applications that may use the account of a user, without the web client, those used last first. */
export async function listAuthorizedApplications(
  { db }: Pick<Read, 'db'>,
  { userId }: { userId: string },
): Promise<AuthorizedApplication[]> {
  return list(db, { userId })
}

/**
 * Revokes all access tokens that an application holds of a user, with their push subscriptions and streams, and codes
 * that it could still exchange. @throws NotFoundError if it holds none, and for the web client
 */
export async function revokeApplication(
  tx: Tx,
  { userId, applicationId }: { userId: string; applicationId: string },
): Promise<void> {
  if (!isId(applicationId)) throw new NotFoundError()
  // The codes come first: deleting a code waits for a concurrent exchange, whose token is then found below.
  await removeCodes(tx.db, { userId, applicationId })
  const tokens = await findTokens(tx.db, { userId, applicationId })
  if (tokens.length === 0) throw new NotFoundError()
  await revokeTokens(tx, { ids: tokens.map(({ id }) => id) })
}
