import { randomBytes } from 'node:crypto'
import { hashSecret } from '../../../lib/secrets.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'

/**
 * How long a challenge can be answered. The log-in page has one as soon as it opens, so that browsers offer passkeys in
 * the field of the username.
 */
const CHALLENGE_HOURS = 1
const NONCE_BYTES = 16
const PURPOSE = 'challenge of a passkey'

/** What a challenge is for. It is valid for this purpose, in one session of one browser. */
export interface ChallengeUse {
  readonly purpose: 'log in' | 'register' | 'second factor' | 'confirm'
  /** The user who answers it; null: the owner of the passkey. */
  readonly userId: string | null
  /** The CSRF token of the page, which is bound to the browser and to its session. */
  readonly csrf: string
}

/** A challenge that was issued, and until when it can be answered. */
export interface IssuedChallenge {
  readonly challenge: string
  readonly expiresAt: Date
}

const markUsed = statement<{ params: { challengeHash: Buffer; expiresAt: Date }; row: { challenge_hash: Buffer } }>(
  `insert into used_passkey_challenges (challenge_hash, expires_at) values ($challengeHash, $expiresAt)
   on conflict do nothing returning challenge_hash`,
)
const removeExpired = statement<{ params: { now: Date } }>(
  `delete from used_passkey_challenges where expires_at <= $now`,
)

type Signer = Pick<Ctx, 'secrets' | 'now'>

/**
 * Returns a new challenge (base64url). It is signed and not stored, so that pages that nobody answers leave no rows.
 */
export function issueChallenge({ secrets, now }: Signer, use: ChallengeUse): string {
  const expiresAt = now().getTime() + CHALLENGE_HOURS * 3_600_000
  const nonce = `${randomBytes(NONCE_BYTES).toString('base64url')}.${expiresAt}`
  return Buffer.from(`${nonce}.${secrets.sign(PURPOSE, signedText(use, nonce))}`).toString('base64url')
}

/** Checks a challenge that a browser sent back; null if it was not issued for this use, or has expired. */
export function readChallenge(
  { secrets, now }: Signer,
  { challenge, use }: { challenge: string; use: ChallengeUse },
): IssuedChallenge | null {
  const [random = '', time = '', signature = ''] = Buffer.from(challenge, 'base64url').toString().split('.')
  if (!secrets.verify(PURPOSE, signedText(use, `${random}.${time}`), signature)) return null
  const expiresAt = new Date(Number(time))
  return expiresAt > now() ? { challenge, expiresAt } : null
}

/** Marks a challenge as answered. Returns false if it was answered before. */
export async function useChallenge(tx: Tx, { challenge, expiresAt }: IssuedChallenge): Promise<boolean> {
  // Some texts are the same bytes in base64url, so the bytes are hashed.
  const challengeHash = hashSecret(Buffer.from(challenge, 'base64url').toString())
  return (await markUsed(tx.db, { challengeHash, expiresAt })).length > 0
}

/** Deletes the challenges that have expired. */
export async function expireChallenges(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  await ctx.write(({ db }) => removeExpired(db, { now }))
}

function signedText({ purpose, userId, csrf }: ChallengeUse, nonce: string): string {
  return JSON.stringify([purpose, userId, csrf, nonce])
}
