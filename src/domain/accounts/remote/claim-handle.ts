import { ConflictError, ForbiddenError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { FORMER_HANDLE_DOMAIN } from './former-handle.ts'

/** When the staff limited an account and marked it as sensitive; null: they did not. */
export interface StaffLimits {
  limitedAt: Date | null
  sensitizedAt: Date | null
}

export const NO_LIMITS: StaffLimits = { limitedAt: null, sensitizedAt: null }

interface HandleClaim {
  /** The account that claims the handle. */
  uri: string
  handle: { username: string; domain: string }
  /** WebFinger at the handle's domain has just named the account. */
  isProven: boolean
  /** The account is not stored yet. */
  isNew: boolean
}

const findHolder = statement<{
  params: { username: string; handleDomain: string; uri: string }
  row: { id: string; is_suspended_here: boolean; limited_at: Date | null; sensitized_at: Date | null }
  notNull: 'is_suspended_here'
}>(
  `select a.id, a.sensitized_at, case when not a.silenced_by_domain_block then a.silenced_at end as limited_at,
     a.suspended_at is not null and exists (select from account_purges p where p.account_id = a.id)
       as is_suspended_here
   from accounts a where lower(a.username) = lower($username) and coalesce(a.domain, '') = $handleDomain
     and a.uri <> $uri
   for no key update`,
)
const invalidateHandle = statement<{ params: { previousAccountId: string } }>(
  `update accounts set domain = id || '${FORMER_HANDLE_DOMAIN}', version = version + 1 where id = $previousAccountId`,
)

/**
 * Takes the handle from another account that has it. That account stays, under a domain that does not exist. Returns
 * what the staff decided about it, which also applies to a new account: a server that was installed again, or a user who
 * begins anew, would evade it otherwise.
 * @throws ConflictError without a proof; ForbiddenError for a new account if the staff have suspended the other one
 */
export async function claimHandle(tx: Tx, { uri, handle, isProven, isNew }: HandleClaim): Promise<StaffLimits> {
  const [holder] = await findHolder(tx.db, { username: handle.username, handleDomain: handle.domain, uri })
  if (!holder) return NO_LIMITS
  if (!isProven) throw new ConflictError('Another account has the handle')
  if (isNew && holder.is_suspended_here) throw new ForbiddenError()
  await invalidateHandle(tx.db, { previousAccountId: holder.id })
  tx.emit('account.handle_changed', { accountId: holder.id })
  return { limitedAt: holder.limited_at, sensitizedAt: holder.sensitized_at }
}
