import { randomBytes } from 'node:crypto'
import { hashSecret } from '../../../lib/secrets.ts'
import { base32 } from '../../../lib/totp.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import type { OwnSession } from './recent-authentication.ts'
import { changeSecondFactors, emitTwoFactorChange, findSecondFactors } from './second-factors.ts'

const CODES = 10
const CODE_BYTES = 10

const remove = statement<{ params: { userId: string } }>(`delete from recovery_codes where user_id = $userId`)
const insert = statement<{ params: { userId: string; hashes: readonly Buffer<ArrayBuffer>[] } }>(
  `insert into recovery_codes (user_id, code_hash) select $userId::bigint, unnest($hashes::bytea[])`,
)
const use = statement<{ params: { userId: string; codeHash: Buffer }; row: { user_id: string } }>(
  `delete from recovery_codes where user_id = $userId and code_hash = $codeHash returning user_id`,
)

/**
 * Replaces the recovery codes of a user who has a second factor, and returns the new ones, which are not stored.
 * @throws ForbiddenError if the session has ended meanwhile
 */
export async function replaceRecoveryCodes(tx: Tx, session: OwnSession): Promise<string[]> {
  const change = 'recovery_codes_replaced'
  return changeSecondFactors(tx, { ...session, change, work: () => writeRecoveryCodes(tx, session) })
}

/** Returns new recovery codes for a user who has none, and null for a user who has some. The user is locked. */
export async function addMissingRecoveryCodes(tx: Tx, { userId }: { userId: string }): Promise<string[] | null> {
  const { recoveryCodes } = await findSecondFactors(tx, { userId })
  return recoveryCodes > 0 ? null : writeRecoveryCodes(tx, { userId })
}

/** Uses a recovery code, which works once. Returns false if the user has no such code. */
export async function useRecoveryCode(tx: Tx, { userId, code }: { userId: string; code: string }): Promise<boolean> {
  const [used] = await use(tx.db, { userId, codeHash: hashSecret(normalizeCode(code)) })
  if (!used) return false
  await emitTwoFactorChange(tx, { userId, change: 'recovery_code_used' })
  return true
}

async function writeRecoveryCodes(tx: Tx, { userId }: { userId: string }): Promise<string[]> {
  // 80 bits each, so that a plain hash protects them.
  const codes = Array.from({ length: CODES }, () => {
    const code = base32(randomBytes(CODE_BYTES)).toLowerCase()
    return code.match(/.{4}/g)!.join('-')
  })
  await remove(tx.db, { userId })
  await insert(tx.db, { userId, hashes: codes.map((code) => Buffer.from(hashSecret(normalizeCode(code)))) })
  return codes
}

/** Accepts upper case and other separators. */
function normalizeCode(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toLowerCase()
}
