import { createHash } from 'node:crypto'
import { hashSecret, generateSecret, isSameSecret } from '../../lib/secrets.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { issueToken, revokeTokens } from './access-tokens.ts'
import type { IssuedToken } from './access-tokens.ts'
import { lockApplication } from './applications.ts'
import { lockSessionById } from './sessions.ts'

const CODE_MINUTES = 10

/** A second use within this time counts as a retry of the client; a later one as a use of a stolen code. */
const RETRY_SECONDS = 10

/** How long an expired code stays stored, so that a late second use is still detected. */
const RETENTION_HOURS = 24

const insert = statement<{
  params: {
    codeHash: Buffer
    applicationId: string
    userId: string
    redirectUri: string
    scopes: readonly string[]
    codeChallenge: string | null
    sessionId: string | null
    now: Date
    expiresAt: Date
  }
}>(
  `insert into authorization_codes (code_hash, application_id, user_id, redirect_uri, scopes, code_challenge, session_id,
     created_at, expires_at)
   values ($codeHash, $applicationId, $userId, $redirectUri, $scopes, $codeChallenge, $sessionId, $now, $expiresAt)`,
)
const find = statement<{ params: { codeHash: Buffer; applicationId: string }; row: CodeRow }>(
  `select user_id, session_id, redirect_uri, scopes, code_challenge, expires_at, used_at from authorization_codes
   where code_hash = $codeHash and application_id = $applicationId`,
)
const markUsed = statement<{ params: { codeHash: Buffer; now: Date }; row: { code_hash: Buffer } }>(
  `update authorization_codes set used_at = $now where code_hash = $codeHash and used_at is null returning code_hash`,
)
const removeExpired = statement<{ params: { before: Date } }>(
  `delete from authorization_codes where expires_at < $before`,
)
const findTokens = statement<{ params: { codeHash: Buffer }; row: { id: string } }>(
  `select id from access_tokens where code_hash = $codeHash`,
)

interface CodeRow {
  user_id: string
  session_id: string | null
  redirect_uri: string
  scopes: string[]
  code_challenge: string | null
  expires_at: Date
  used_at: Date | null
}

/** Returns whether a text has the form of an S256 challenge (RFC 7636 §4.2): a SHA-256 hash in base64url. */
export function isCodeChallenge(challenge: string): boolean {
  return /^[\w-]{43}$/.test(challenge)
}

/**
 * Creates an authorization code, valid once within ten minutes, for this application and exactly this redirect URI.
 * `sessionId`: the row of the browser session with which the token ends. The caller has locked the session in which the
 * user consents (`lockSession`), so that whatever ends the session finds the code.
 */
export async function issueCode(
  tx: Tx,
  input: {
    applicationId: string
    userId: string
    redirectUri: string
    scopes: readonly string[]
    codeChallenge: string | null
    sessionId: string | null
  },
): Promise<string> {
  const code = generateSecret()
  await insert(tx.db, {
    ...input,
    codeHash: hashSecret(code),
    now: tx.now,
    expiresAt: new Date(tx.now.getTime() + CODE_MINUTES * 60_000),
  })
  return code
}

/**
 * Exchanges an authorization code for a token (RFC 6749 §4.1.3). Returns null if the code is unknown, expired or used,
 * was issued to another application or for another redirect URI, if the browser session with which its token would end
 * has ended, or if the PKCE verifier is wrong, missing, or sent without a challenge (RFC 7636 §4.6). A second use after
 * more than ten seconds also revokes the token that the code was exchanged for.
 */
export async function exchangeCode(
  tx: Tx,
  {
    code,
    applicationId,
    redirectUri,
    codeVerifier,
  }: { code: string; applicationId: string; redirectUri: string; codeVerifier: string | null },
): Promise<IssuedToken | null> {
  const codeHash = hashSecret(code)
  const [found] = await find(tx.db, { codeHash, applicationId })
  if (!found) return null
  if (found.used_at) {
    if (tx.now.getTime() - found.used_at.getTime() > RETRY_SECONDS * 1000) await revokeTokensOfCode(tx, { codeHash })
    return null
  }
  if (found.redirect_uri !== redirectUri || found.expires_at <= tx.now) return null
  if (!matchesChallenge(found.code_challenge, codeVerifier)) return null
  const { user_id: userId, session_id: sessionId } = found
  if (sessionId !== null && !(await lockSessionById(tx, { id: sessionId }))) return null
  // Before the code, like a deletion of the application.
  await lockApplication(tx, { id: applicationId })
  // Of several concurrent exchanges, only one marks the code as used.
  const [used] = await markUsed(tx.db, { codeHash, now: tx.now })
  if (!used) return null
  return issueToken(tx, { applicationId, userId, scopes: found.scopes, codeHash, sessionId })
}

/** Deletes codes that expired more than a day ago. */
export async function expireCodes(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - RETENTION_HOURS * 3_600_000)
  await ctx.write(({ db }) => removeExpired(db, { before }))
}

async function revokeTokensOfCode(tx: Tx, { codeHash }: { codeHash: Buffer }): Promise<void> {
  const tokens = await findTokens(tx.db, { codeHash })
  await revokeTokens(tx, { ids: tokens.map(({ id }) => id) })
}

function matchesChallenge(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null || verifier === null) return challenge === verifier
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  return isSameSecret(createHash('sha256').update(verifier).digest('base64url'), challenge)
}
