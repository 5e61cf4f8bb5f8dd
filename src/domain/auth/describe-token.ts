import { hashSecret } from '../../lib/secrets.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

/** A valid access token, as it is described to its holder and its application. */
export interface TokenDescription {
  id: string
  /** null: a token of the application alone. */
  userId: string | null
  /** null: a token without an application. */
  applicationId: string | null
  clientId: string | null
  scopes: string[]
  createdAt: Date
}

const find = statement<{ params: { tokenHash: Buffer }; row: TokenDescription }>(
  `select t.id, t.user_id as "userId", t.application_id as "applicationId", app.client_id as "clientId", t.scopes,
     t.created_at as "createdAt"
   from access_tokens t left join applications app on app.id = t.application_id
   where t.token_hash = $tokenHash and t.revoked_at is null`,
)

/** Returns the description of an access token; null if it is unknown or revoked. */
export async function describeToken(read: Read, { token }: { token: string }): Promise<TokenDescription | null> {
  const [row] = await find(read.db, { tokenHash: hashSecret(token) })
  return row ?? null
}
