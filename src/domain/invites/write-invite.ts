import { randomInt } from 'node:crypto'
import { ForbiddenError, NotFoundError, UnprocessableError, ValidationError } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { statement } from '../../platform/db/statement.ts'
import { findStaffMember, hasPermission } from '../access/permissions.ts'
import type { StaffMember } from '../access/permissions.ts'
import type { Read, Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import { isAvailable } from './find-invite.ts'
import { INVITE_COLUMNS } from './list-invites.ts'
import type { InviteRow } from './list-invites.ts'

const MAX_COMMENT_CHARACTERS = 420
const MAX_USES = 1_000_000
/** An invite that would expire later than in 100 years never expires. */
const MAX_SECONDS = 100 * 365 * 86_400
/** How many available invites a user may have. */
const MAX_AVAILABLE_INVITES = 100

/** Letters and digits, without those that readers confuse, such as `O` and `0`. */
const CODE_CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
const CODE_LENGTH = 8

/** The parameters of the API. Undefined: the default of a new invite. */
export interface InviteInput {
  /** 0: any number, which is the default. */
  maxUses?: number | undefined
  /** 0: never, which is the default. */
  expiresInSeconds?: number | undefined
  autofollow?: boolean | undefined
  comment?: string | undefined
}

const countAvailable = statement<{ params: { userId: string; now: Date }; row: { count: number } }>(
  `select count(*)::int as count from invites i where i.user_id = $userId and ${isAvailable}`,
)
const lockUser = statement<{ params: { userId: string } }>(`select id from users where id = $userId for no key update`)
const insert = statement<{
  params: {
    code: string
    userId: string
    maxUses: number | null
    expiresAt: Date | null
    autofollow: boolean
    comment: string
    now: Date
  }
  row: InviteRow & { inviter: string }
}>(
  `with i as (
     insert into invites (code, user_id, max_uses, expires_at, autofollow, comment, created_at)
     values ($code, $userId, $maxUses, $expiresAt, $autofollow, $comment, $now) returning *
   )
   select ${INVITE_COLUMNS}, a.username as inviter
   from i join users u on u.id = i.user_id join accounts a on a.id = u.account_id`,
)
const expire = statement<{
  params: { id: string; userId: string | null; now: Date }
  row: { inviter: string; changed: boolean }
}>(
  `with target as (
     select i.id, a.username as inviter, i.expires_at is null or i.expires_at > $now as changed
     from invites i join users u on u.id = i.user_id join accounts a on a.id = u.account_id
     where i.id = $id and ($userId::bigint is null or i.user_id = $userId) for update of i
   ), changed as (
     update invites i set expires_at = $now from target where i.id = target.id and target.changed
   )
   select inviter, changed from target`,
)
const expireAll = statement<{ params: { now: Date }; row: { id: string } }>(
  `update invites i set expires_at = $now where i.id in (
     select i.id from invites i where ${isAvailable} order by i.id for update) returning i.id`,
)

/**
 * Creates an invite of a user.
 * @throws ForbiddenError for a user who may not invite; ValidationError; UnprocessableError above the limit of invites
 */
export async function createInvite(
  tx: Tx,
  { by, ...input }: InviteInput & { by: StaffMember },
): Promise<InviteRow & { inviter: string }> {
  requireInviter(by)
  const values = checkInvite(tx, input)
  // The lock serialises concurrent calls, so that they cannot exceed the limit.
  await lockUser(tx.db, { userId: by.userId })
  const [available] = await countAvailable(tx.db, { userId: by.userId, now: tx.now })
  if ((available?.count ?? 0) >= MAX_AVAILABLE_INVITES)
    throw new UnprocessableError(`You cannot have more than ${MAX_AVAILABLE_INVITES} active invites`)
  const [invite] = await insert(tx.db, { ...values, code: createCode(), userId: by.userId, now: tx.now })
  return invite!
}

/** Creates an invite of a member of the staff, and records it in the audit log. @throws as `createInvite` */
export async function createInviteAsStaff(tx: Tx, input: InviteInput & { by: StaffMember }): Promise<InviteRow> {
  const invite = await createInvite(tx, input)
  const { max_uses, expires_at, autofollow } = invite
  await recordAuditEntry(tx, {
    by: input.by,
    action: 'create',
    targetType: 'invite',
    targetId: invite.id,
    label: invite.inviter,
    details: { max_uses, expires_at, autofollow },
  })
  return invite
}

/** Lets an own invite expire; it stays in the lists. @throws NotFoundError; ForbiddenError as `createInvite` */
export async function expireOwnInvite(tx: Tx, { id, by }: { id: string; by: StaffMember }): Promise<void> {
  requireInviter(by)
  await expireInvite(tx, { id, userId: by.userId })
}

/** Lets an invite of any user expire; it stays in the lists. @throws NotFoundError */
export async function expireInviteAsStaff(tx: Tx, { id, by }: { id: string; by: StaffMember }): Promise<void> {
  const { inviter, changed } = await expireInvite(tx, { id, userId: null })
  if (changed) await recordAuditEntry(tx, { by, action: 'expire', targetType: 'invite', targetId: id, label: inviter })
}

/** Lets the available invites of all users expire. */
export async function expireAllInvites(tx: Tx, { by }: { by: StaffMember }): Promise<void> {
  const expired = await expireAll(tx.db, { now: tx.now })
  await recordAuditEntry(tx, {
    by,
    action: 'expire_all',
    targetType: 'invite',
    targetId: null,
    label: 'all',
    details: { count: expired.length },
  })
}

/** Checks that a user may have invites. @throws ForbiddenError */
export function requireInviter(user: StaffMember): void {
  if (!isInviter(user)) throw new ForbiddenError()
}

/** Returns whether a user may have invites. */
export async function mayInvite(read: Read, { userId }: { userId: string }): Promise<boolean> {
  const user = await findStaffMember(read, { userId })
  return user !== null && isInviter(user)
}

function isInviter({ permissions }: StaffMember): boolean {
  return hasPermission(permissions, 'inviteUsers') || hasPermission(permissions, 'manageInvites')
}

async function expireInvite(
  tx: Tx,
  { id, userId }: { id: string; userId: string | null },
): Promise<{ inviter: string; changed: boolean }> {
  const [invite] = isId(id) ? await expire(tx.db, { id, userId, now: tx.now }) : []
  if (!invite) throw new NotFoundError()
  return invite
}

/** @throws ValidationError */
function checkInvite({ now }: Tx, input: InviteInput) {
  const { maxUses = 0, expiresInSeconds = 0, autofollow = false } = input
  const comment = cleanText(input.comment ?? '').trim()
  const problems: FieldError[] = []
  if (maxUses < 0 || maxUses > MAX_USES)
    problems.push({ attribute: 'max_uses', code: 'ERR_INVALID', text: `must be between 0 and ${MAX_USES}` })
  if (expiresInSeconds < 0) problems.push({ attribute: 'expires_in', code: 'ERR_INVALID', text: 'is invalid' })
  if (comment.length > MAX_COMMENT_CHARACTERS) {
    const text = `is too long (maximum is ${MAX_COMMENT_CHARACTERS} characters)`
    problems.push({ attribute: 'comment', code: 'ERR_TOO_LONG', text })
  }
  if (problems.length > 0) throw new ValidationError(problems)
  const expires = expiresInSeconds > 0 && expiresInSeconds <= MAX_SECONDS
  const expiresAt = expires ? new Date(now.getTime() + expiresInSeconds * 1_000) : null
  return { maxUses: maxUses === 0 ? null : maxUses, expiresAt, autofollow, comment }
}

function createCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join('')
}
