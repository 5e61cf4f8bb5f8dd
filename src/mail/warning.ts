import type { Ctx } from '../domain/context.ts'
import { writeMail } from '../domain/mails/write-mail.ts'
import { statement } from '../platform/db/statement.ts'
import { findAddressee } from './find-recipient.ts'
import { warningLetter } from './templates/warning.ts'
import type { WarningAction } from '../domain/moderation/warn-account.ts'

const find = statement<{
  params: { warningId: string }
  row: { target_account_id: string; action: WarningAction; text: string; posts: number }
}>(
  `select target_account_id, action, text, coalesce(cardinality(status_ids), 0) as posts
   from account_warnings where id = $warningId`,
)

/** Effect: writes to somebody what the staff did about their account or posts. */
export async function mailWarning(ctx: Ctx, { warningId }: { warningId: string }): Promise<void> {
  const [warning] = await find(ctx.db, { warningId })
  const person = warning ? await findAddressee(ctx, { accountId: warning.target_account_id }) : null
  if (!warning || !person) return
  const { action, text, posts } = warning
  const { localDomain: site, origin: url } = ctx.config
  const letter = warningLetter({ site, url, username: person.username, action, text, posts })
  await ctx.write((tx) => writeMail(tx, { key: `warning:${warningId}`, recipient: person.email, ...letter }))
}
