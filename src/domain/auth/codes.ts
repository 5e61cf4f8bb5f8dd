import { createHash } from 'node:crypto'
import { hashSecret, makeSecret, sameSecret } from '../../lib/secrets.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { issueToken, revokeTokens } from './tokens.ts'
import type { IssuedToken } from './tokens.ts'

const CODE_MINUTES = 10

/** A second use within this time is a client that sends its request again; later it is somebody else with the code. */
const RETRY_SECONDS = 10

/** How long a code is remembered after it expired, so that a late second use is still noticed. */
const KEEP_HOURS = 24

const insert = statement<{
  params: {
    codeHash: Buffer
    applicationId: string
    userId: string
    redirectUri: string
    scopes: readonly string[]
    codeChallenge: string | null
    now: Date
    expiresAt: Date
  }
}>(
  `insert into authorization_codes (code_hash, application_id, user_id, redirect_uri, scopes, code_challenge, created_at,
     expires_at)
   values ($codeHash, $applicationId, $userId, $redirectUri, $scopes, $codeChallenge, $now, $expiresAt)`,
)
const find = statement<{ params: { codeHash: Buffer; applicationId: string }; row: KnownCode }>(
  `select redirect_uri, scopes, code_challenge, expires_at, used_at from authorization_codes
   where code_hash = $codeHash and application_id = $applicationId`,
)
const markUsed = statement<{ params: { codeHash: Buffer; now: Date }; row: { user_id: string } }>(
  `update authorization_codes set used_at = $now where code_hash = $codeHash and used_at is null returning user_id`,
)
const removeExpired = statement<{ params: { before: Date } }>(
  `delete from authorization_codes where expires_at < $before`,
)
const findTokens = statement<{ params: { codeHash: Buffer }; row: { id: string } }>(
  `select id from access_tokens where code_hash = $codeHash`,
)

interface KnownCode {
  redirect_uri: string
  scopes: string[]
  code_challenge: string | null
  expires_at: Date
  used_at: Date | null
}

/** An S256 challenge: the SHA-256 of the verifier in base64url. */
export function isCodeChallenge(challenge: string): boolean {
  return /^[\w-]{43}$/.test(challenge)
}

/** Makes a code that works once, for ten minutes, for this application and this very redirect address. */
export async function issueCode(
  tx: Tx,
  input: {
    applicationId: string
    userId: string
    redirectUri: string
    scopes: readonly string[]
    codeChallenge: string | null
  },
): Promise<string> {
  const code = makeSecret()
  await insert(tx.db, {
    ...input,
    codeHash: hashSecret(code),
    now: tx.now,
    expiresAt: new Date(tx.now.getTime() + CODE_MINUTES * 60_000),
  })
  return code
}

/**
 * Exchanges a code for a token. null when the code does not count: unknown, expired, used, of another application,
 * for another redirect address, or with a verifier that is wrong, missing, or was never announced by a challenge.
 * A code that is used again after ten seconds also takes back the token that it gave.
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
  const [known] = await find(tx.db, { codeHash, applicationId })
  if (!known) return null
  if (known.used_at) {
    if (tx.now.getTime() - known.used_at.getTime() > RETRY_SECONDS * 1000) await takeBack(tx, { codeHash })
    return null
  }
  if (known.redirect_uri !== redirectUri || known.expires_at <= tx.now) return null
  if (!provesChallenge(known.code_challenge, codeVerifier)) return null
  // Of many exchanges at once, one finds the code unused.
  const [used] = await markUsed(tx.db, { codeHash, now: tx.now })
  if (!used) return null
  return issueToken(tx, { applicationId, userId: used.user_id, scopes: known.scopes, codeHash })
}

/** Forgets codes that nobody can use any more. */
export async function expireCodes(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - KEEP_HOURS * 3_600_000)
  await ctx.write(({ db }) => removeExpired(db, { before }))
}

async function takeBack(tx: Tx, { codeHash }: { codeHash: Buffer }): Promise<void> {
  const given = await findTokens(tx.db, { codeHash })
  await revokeTokens(tx, { ids: given.map(({ id }) => id) })
}

function provesChallenge(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null || verifier === null) return challenge === verifier
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  return sameSecret(createHash('sha256').update(verifier).digest('base64url'), challenge)
}
