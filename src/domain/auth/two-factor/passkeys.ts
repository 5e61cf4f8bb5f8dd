import { ValidationError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { cleanText } from '../../../lib/text/clean-text.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../../context.ts'
import { useChallenge } from './passkey-challenges.ts'
import type { OwnSession } from './recent-authentication.ts'
import { addMissingRecoveryCodes } from './recovery-codes.ts'
import { changeSecondFactors } from './second-factors.ts'
import { verifyRegistration } from './verify-passkey.ts'

const MAX_PASSKEYS = 20
export const MAX_NICKNAME_CHARACTERS = 50

export interface Passkey {
  readonly id: string
  readonly nickname: string
  /** base64url */
  readonly credentialId: string
  readonly transports: readonly string[]
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

const list = statement<{
  params: { userId: string }
  row: Omit<Passkey, 'credentialId'> & { credential_id: Buffer; user_handle: Buffer }
}>(
  `select id, nickname, credential_id, transports, user_handle, created_at as "createdAt", last_used_at as "lastUsedAt"
   from passkeys where user_id = $userId order by id`,
)
const insert = statement<{
  params: {
    userId: string
    credentialId: Buffer
    userHandle: Buffer
    publicKey: Buffer
    signCount: number
    transports: readonly string[]
    nickname: string
    now: Date
  }
  row: { id: string }
}>(
  `insert into passkeys
     (user_id, credential_id, user_handle, public_key, sign_count, transports, nickname, created_at)
   values ($userId, $credentialId, $userHandle, $publicKey, $signCount, $transports, $nickname, $now)
   on conflict do nothing returning id`,
)
const remove = statement<{ params: { userId: string; id: string }; row: { id: string } }>(
  `delete from passkeys where id = $id and user_id = $userId returning id`,
)

/** Returns the passkeys of a user, oldest first. */
export async function listPasskeys(read: Pick<Read, 'db'>, { userId }: { userId: string }): Promise<Passkey[]> {
  const rows = await list(read.db, { userId })
  return rows.map(({ id, nickname, credential_id: credentialId, transports, createdAt, lastUsedAt }) => ({
    id,
    nickname,
    credentialId: credentialId.toString('base64url'),
    transports,
    createdAt,
    lastUsedAt,
  }))
}

/** Returns what identifies a user to authenticators: the same for all passkeys of the user, and without meaning. */
export async function userHandleOf(ctx: Pick<Ctx, 'db' | 'secrets'>, { userId }: { userId: string }): Promise<Buffer> {
  const [passkey] = await list(ctx.db, { userId })
  return passkey?.user_handle ?? Buffer.from(ctx.secrets.sign('user handle of passkeys', userId), 'base64url')
}

/**
 * Adds a passkey that the user's browser created. `credential`: its response as JSON (WebAuthn:
 * RegistrationResponseJSON). Returns the recovery codes if the user had none before.
 * @throws ValidationError (of `nickname` or `credential`); ForbiddenError if the session has ended meanwhile
 */
export async function addPasskey(
  ctx: Ctx,
  {
    userId,
    sessionId,
    csrf,
    credential,
    nickname,
  }: OwnSession & { csrf: string; credential: string; nickname: string },
): Promise<string[] | null> {
  const name = cleanText(nickname).trim()
  if (name === '') throw refused('nickname', 'ERR_BLANK', "can't be blank")
  if (Array.from(name).length > MAX_NICKNAME_CHARACTERS)
    throw refused('nickname', 'ERR_TOO_LONG', `is too long (maximum is ${MAX_NICKNAME_CHARACTERS} characters)`)
  const verified = await verifyRegistration(ctx, { userId, csrf, credential })
  if (!verified) throw unverified()
  const userHandle = await userHandleOf(ctx, { userId })
  const { challenge, ...passkey } = verified
  return ctx.write(async (tx) =>
    changeSecondFactors(tx, {
      userId,
      sessionId,
      change: 'passkey_added',
      work: async () => {
        if (!(await useChallenge(tx, challenge))) throw unverified()
        const existing = await listPasskeys(tx, { userId })
        if (existing.length >= MAX_PASSKEYS) throw refused('nickname', 'ERR_TOO_MANY', 'exceeds the limit of passkeys')
        const [added] = await insert(tx.db, { userId, userHandle, ...passkey, nickname: name, now: tx.now })
        if (!added) throw refused('nickname', 'ERR_TAKEN', 'has already been taken')
        return addMissingRecoveryCodes(tx, { userId })
      },
    }),
  )
}

/**
 * Removes a passkey of the user; nothing happens if the user has no passkey with this id.
 * @throws ForbiddenError if the session has ended meanwhile
 */
export async function removePasskey(tx: Tx, { userId, sessionId, id }: OwnSession & { id: string }): Promise<void> {
  const passkeys = await listPasskeys(tx, { userId })
  if (!isId(id) || passkeys.every((passkey) => passkey.id !== id)) return
  const change = 'passkey_removed'
  await changeSecondFactors(tx, { userId, sessionId, change, work: () => remove(tx.db, { userId, id }) })
}

function refused(attribute: string, code: string, text: string): ValidationError {
  return new ValidationError([{ attribute, code, text }])
}

function unverified(): ValidationError {
  return refused('credential', 'ERR_UNVERIFIED_PASSKEY', 'could not be verified')
}
