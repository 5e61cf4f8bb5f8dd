import { NotFoundError, UnprocessableError } from '../../lib/errors.ts'
import { ALL_SCOPES, areKnownScopes } from '../../lib/http/scopes.ts'
import { hashSecret, generateSecret } from '../../lib/secrets.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import { removeSubscriptions } from '../push/push-subscriptions.ts'

/** A new access token. Only its hash is stored, so `token` is available only here. */
export interface IssuedToken {
  id: string
  token: string
  scopes: readonly string[]
  createdAt: Date
}

const insert = statement<{
  params: {
    tokenHash: Buffer
    applicationId: string | null
    userId: string | null
    scopes: readonly string[]
    codeHash: Buffer | null
    sessionId: string | null
    now: Date
  }
  row: { id: string }
}>(
  `insert into access_tokens (token_hash, application_id, user_id, scopes, code_hash, session_id, created_at)
   values ($tokenHash, $applicationId, $userId, $scopes, $codeHash, $sessionId, $now) returning id`,
)
const findUser = statement<{
  params: { username: string }
  row: { id: string; account_id: string; username: string }
}>(
  `select u.id, u.account_id, a.username from users u join accounts a on a.id = u.account_id
   where lower(a.username) = $username and a.domain is null`,
)
const findToken = statement<{ params: { tokenHash: Buffer }; row: { id: string; application_id: string | null } }>(
  `select id, application_id from access_tokens where token_hash = $tokenHash`,
)
const revoke = statement<{ params: { ids: readonly string[]; now: Date }; row: { id: string } }>(
  `update access_tokens set revoked_at = $now where id = any($ids) and revoked_at is null returning id`,
)
const removeCodesOfSessions = statement<{ params: { sessionIds: readonly string[] } }>(
  `delete from authorization_codes where session_id = any($sessionIds::bigint[])`,
)
const findOfSessions = statement<{ params: { sessionIds: readonly string[] }; row: { id: string } }>(
  `select id from access_tokens where session_id = any($sessionIds) and revoked_at is null`,
)
const upsertApplication = statement<{
  params: { name: string; scopes: readonly string[]; clientId: string; clientSecretHash: Buffer; now: Date }
  row: { id: string }
}>(
  `insert into applications (name, redirect_uris, scopes, client_id, client_secret_hash, created_at)
   values ($name, '{}', $scopes, $clientId, $clientSecretHash, $now)
   on conflict (client_id) do update set scopes = excluded.scopes
   returning id`,
)

/**
 * Creates an access token without an expiry date. `userId: null`: a token of the application alone (grant type
 * `client_credentials`); `applicationId: null`: a token without an application; `sessionId`: the browser session with
 * which the token ends.
 * @throws UnprocessableError for an unknown scope
 */
export async function issueToken(
  tx: Tx,
  {
    applicationId,
    userId,
    scopes,
    codeHash = null,
    sessionId = null,
  }: {
    applicationId: string | null
    userId: string | null
    scopes: readonly string[]
    codeHash?: Buffer | null
    sessionId?: string | null
  },
): Promise<IssuedToken> {
  if (!areKnownScopes(scopes)) throw new UnprocessableError('One of the scopes is unknown')
  const token = generateSecret()
  const tokenHash = hashSecret(token)
  const [row] = await insert(tx.db, { tokenHash, applicationId, userId, scopes, codeHash, sessionId, now: tx.now })
  return { id: row!.id, token, scopes, createdAt: tx.now }
}

/** The application of tokens that the CLI creates. Its secret is not stored anywhere, and it has no redirect URI. */
const COMMAND_LINE_APP = { clientId: 'command-line', name: 'Command line' } as const

/**
 * Creates an access token for a local user by username. For the CLI.
 * @throws NotFoundError if no local user has the username; UnprocessableError for an unknown scope
 */
export async function issueTokenForUser(
  tx: Tx,
  { username, scopes }: { username: string; scopes: readonly string[] },
): Promise<IssuedToken> {
  const [user] = await findUser(tx.db, { username: username.toLowerCase() })
  if (!user) throw new NotFoundError(`No local account is named ${username}`)
  const token = await issueToken(tx, { applicationId: await commandLineApp(tx), userId: user.id, scopes })
  await recordAuditEntry(tx, {
    by: null,
    action: 'create_token',
    targetType: 'account',
    targetId: user.account_id,
    label: user.username,
    details: { scopes },
  })
  return token
}

/**
 * Revokes a token on behalf of the application that it was issued to (RFC 7009). An unknown or revoked token changes
 * nothing. Returns `foreign`, and changes nothing, if the token was issued to another application.
 */
export async function revokeToken(
  tx: Tx,
  { token, applicationId }: { token: string; applicationId: string },
): Promise<'done' | 'foreign'> {
  const [found] = await findToken(tx.db, { tokenHash: hashSecret(token) })
  if (!found) return 'done'
  if (found.application_id !== applicationId) return 'foreign'
  await revokeTokens(tx, { ids: [found.id] })
  return 'done'
}

/**
 * Revokes tokens by their ids and deletes their push subscriptions. Tokens that are revoked already stay as they are.
 */
export async function revokeTokens(tx: Tx, { ids }: { ids: readonly string[] }): Promise<void> {
  const revoked = await revoke(tx.db, { ids, now: tx.now })
  if (revoked.length === 0) return
  const tokenIds = revoked.map(({ id }) => id)
  await removeSubscriptions(tx, { tokenIds })
  tx.emit('tokens.revoked', { tokenIds })
}

/**
 * Revokes the tokens of the web client that were issued in these browser sessions, and deletes its codes that could
 * still be exchanged. The caller has deleted the sessions.
 */
export async function revokeTokensOfSessions(tx: Tx, { sessionIds }: { sessionIds: readonly string[] }): Promise<void> {
  if (sessionIds.length === 0) return
  // Sessions, codes and tokens are locked in this order: what a concurrent exchange has issued is then found.
  await removeCodesOfSessions(tx.db, { sessionIds })
  const tokens = await findOfSessions(tx.db, { sessionIds })
  await revokeTokens(tx, { ids: tokens.map(({ id }) => id) })
}

async function commandLineApp(tx: Tx): Promise<string> {
  const [row] = await upsertApplication(tx.db, {
    ...COMMAND_LINE_APP,
    scopes: ALL_SCOPES,
    clientSecretHash: hashSecret(generateSecret()),
    now: tx.now,
  })
  return row!.id
}
