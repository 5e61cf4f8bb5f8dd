import type { Ctx } from '../domain/context.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { statement } from '../platform/db/statement.ts'
import { findRecipient } from './find-recipient.ts'
import { siteOf } from './site-of.ts'
import { warningMail } from './templates/warning.ts'
import type { WarningAction } from '../domain/moderation/accounts/warn-account.ts'

const find = statement<{
  params: { warningId: string }
  row: { target_account_id: string; action: WarningAction; text: string; posts: number }
}>(
  `select target_account_id, action, text, coalesce(cardinality(status_ids), 0) as posts
   from account_warnings where id = $warningId`,
)

/** Effect: informs a user of a moderation action against their account or posts, with the link to appeal. */
export async function mailWarning(ctx: Ctx, { warningId }: { warningId: string }): Promise<void> {
  const [warning] = await find(ctx.db, { warningId })
  const user = warning ? await findRecipient(ctx, { accountId: warning.target_account_id }) : null
  if (!warning || !user) return
  const { action, text, posts } = warning
  const site = siteOf(ctx)
  const { origin } = ctx.config
  const url = `${origin}/settings/strikes/${warningId}`
  const mail = warningMail({ locale: user.locale, site, url, username: user.username, action, text, posts })
  await ctx.write((tx) => enqueueMail(tx, { key: `warning:${warningId}`, recipient: user.email, ...mail }))
}
