import { statement } from '../../platform/db/statement.ts'
import { EVERYONE_ROLE_ID, permissionBit } from '../access/permissions.ts'
import { usableUser } from '../access/usable-account.ts'
import type { Read, Tx } from '../context.ts'

const ADMINISTRATOR = permissionBit('administrator')
const MAY_INVITE = ADMINISTRATOR | permissionBit('inviteUsers') | permissionBit('manageInvites')
const MAY_BYPASS = ADMINISTRATOR | permissionBit('inviteBypassApproval')

/** SQL condition: an invite `i` is neither expired nor used up. */
export const isAvailable = `((i.expires_at is null or i.expires_at > $now) and (i.max_uses is null or i.uses < i.max_uses))`

/** The inviter of an invite `i`, with the account, the role and the base role. */
const INVITER = `users u join accounts a on a.id = u.account_id join roles r on r.id = u.role_id
  join roles everyone on everyone.id = ${EVERYONE_ROLE_ID}`

/** SQL condition: an invite `i` is available, and its inviter may invite users at the moment. */
const isValid = `${isAvailable} and ${usableUser()} and a.moved_to_account_id is null
  and (r.permissions | everyone.permissions) & ${MAY_INVITE} <> 0`

/** An invite with which users may sign up. */
export interface ValidInvite {
  id: string
  code: string
  inviterAccountId: string
  /** Users who sign up with it need no approval. */
  bypassesApproval: boolean
}

const find = statement<{
  params: { code: string; now: Date }
  row: Pick<ValidInvite, 'id' | 'code' | 'inviterAccountId' | 'bypassesApproval'> & { valid: boolean }
}>(
  `select i.id, i.code, u.account_id as "inviterAccountId", ${isValid} as valid,
     (r.permissions | everyone.permissions) & ${MAY_BYPASS} <> 0 as "bypassesApproval"
   from invites i join ${INVITER} on u.id = i.user_id where i.code = $code`,
)
const use = statement<{ params: { id: string; now: Date }; row: { autofollow: boolean } }>(
  `update invites i set uses = i.uses + 1 from ${INVITER}
   where i.id = $id and u.id = i.user_id and ${isValid} returning i.autofollow`,
)
const recordUse = statement<{ params: { userId: string; id: string; autofollow: boolean } }>(
  `insert into invite_uses (user_id, invite_id, autofollow_pending) values ($userId, $id, $autofollow)`,
)

/** Returns the invite with a code; `invalid`: it is expired or used up, or its inviter may not invite users now. */
export async function findInvite(
  read: Read,
  { code, now }: { code: string; now: Date },
): Promise<ValidInvite | 'invalid' | 'unknown'> {
  if (!/^[A-Za-z0-9]{1,32}$/.test(code)) return 'unknown'
  const [row] = await find(read.db, { code, now })
  if (!row) return 'unknown'
  const { valid, ...invite } = row
  return valid ? invite : 'invalid'
}

/**
 * Counts a use of an invite by a new user. Concurrent uses wait for each other. Returns whether the invite was still
 * valid.
 */
export async function recordInviteUse(tx: Tx, { id, userId }: { id: string; userId: string }): Promise<boolean> {
  const [invite] = await use(tx.db, { id, now: tx.now })
  if (!invite) return false
  await recordUse(tx.db, { userId, id, autofollow: invite.autofollow })
  return true
}
