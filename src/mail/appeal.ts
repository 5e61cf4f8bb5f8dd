import { findStaff } from '../domain/access/find-staff.ts'
import type { Ctx } from '../domain/context.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import type { AppealState } from '../domain/moderation/strikes/appeal-deadline.ts'
import type { WarningAction } from '../domain/moderation/accounts/warn-account.ts'
import { recipientsOf } from '../domain/notifications/staff-mails.ts'
import { statement } from '../platform/db/statement.ts'
import { findRecipient, localeOfRecipient } from './find-recipient.ts'
import { siteOf } from './site-of.ts'
import { appealMail, appealResultMail } from './templates/appeal.ts'

interface Facts {
  account_id: string
  username: string
  strike_id: string
  action: WarningAction
  text: string
  state: AppealState
}

const find = statement<{ params: { appealId: string }; row: Facts }>(
  `select a.id as account_id, a.username, w.id as strike_id, w.action, appeal.text, appeal.state
   from appeals appeal join account_warnings w on w.id = appeal.warning_id join accounts a on a.id = w.target_account_id
   where appeal.id = $appealId`,
)

/** Effect: informs the staff who can manage appeals of a new one, except the user who appeals. */
export async function mailAppeal(ctx: Ctx, { appealId }: { appealId: string }): Promise<void> {
  const staff = recipientsOf(await findStaff(ctx, { permission: 'manageAppeals' }), 'appeal')
  await ctx.write(async (tx) => {
    const [facts] = await find(tx.db, { appealId })
    if (facts?.state !== 'pending') return
    const { username, action, text } = facts
    const site = siteOf(ctx)
    const { origin } = ctx.config
    const url = `${origin}/admin/appeals`
    for (const recipient of staff) {
      if (recipient.accountId === facts.account_id) continue
      const mail = appealMail({ locale: localeOfRecipient(ctx, recipient), site, url, username, action, text })
      await enqueueMail(tx, { key: `appeal:${appealId}:${recipient.userId}`, recipient: recipient.email, ...mail })
    }
  })
}

/** Effect: informs a user of the decision on their appeal. */
export async function mailAppealResult(ctx: Ctx, { appealId }: { appealId: string }): Promise<void> {
  const [facts] = await find(ctx.db, { appealId })
  const user = facts ? await findRecipient(ctx, { accountId: facts.account_id }) : null
  if (!facts || !user || facts.state === 'pending') return
  const { action, state, strike_id: strikeId } = facts
  const site = siteOf(ctx)
  const { origin } = ctx.config
  const url = `${origin}/settings/strikes/${strikeId}`
  const mail = appealResultMail({ locale: user.locale, site, url, username: user.username, action, state })
  await ctx.write((tx) => enqueueMail(tx, { key: `appeal-result:${appealId}`, recipient: user.email, ...mail }))
}
