import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { emailChangeCutoff } from './pending-email.ts'

const expire = statement<{ params: { before: Date } }>(
  `update users set unconfirmed_email = null, email_change_requested_at = null,
     confirmation_sent_at = case when confirmed_at is null then confirmation_sent_at end
   where unconfirmed_email is not null and coalesce(email_change_requested_at, confirmation_sent_at) < $before`,
)

/** Deletes requested changes of e-mail addresses that the users did not confirm in time. */
export async function expireEmailChanges(ctx: Ctx): Promise<void> {
  const before = emailChangeCutoff(ctx.now())
  await ctx.write((tx) => expire(tx.db, { before }))
}
