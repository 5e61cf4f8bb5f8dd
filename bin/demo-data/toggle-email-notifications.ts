import { sql } from 'kysely'
import { readMailPreferences, saveMailPreferences } from '../../src/domain/notifications/email-notifications.ts'
import type { MailPreferences } from '../../src/domain/notifications/email-notifications.ts'
import { mailNotification } from '../../src/mail/notification.ts'
import type { BuilderCtx } from '../../test/query-builder.ts'

interface Recipient {
  accountId: string
  userId: string
}

/** The number of mails for each log-in, of the newest notifications, so that the outbox stays readable. */
const MAILS_PER_LOGIN = 8

/** Disables e-mail notifications for a user while the demo data is created. Returns the previous preferences. */
export async function disableEmailNotifications(
  ctx: BuilderCtx,
  { userId }: Pick<Recipient, 'userId'>,
): Promise<MailPreferences> {
  return ctx.write(async (tx) => {
    const choice = await readMailPreferences(tx, { userId })
    await saveMailPreferences(tx, { userId, types: [], evenIfSeen: false })
    return choice
  })
}

/** Enables e-mail notifications again, and sends mails for the user's newest notifications. */
export async function enableEmailNotifications(
  ctx: BuilderCtx,
  { accountId, userId, choice }: Recipient & { choice: MailPreferences },
): Promise<void> {
  await ctx.write((tx) => saveMailPreferences(tx, { userId, ...choice }))
  const { rows } = await sql<{ id: string }>`
    select id from notifications where account_id = ${accountId} and type = any(${choice.types}::text[]) and not filtered
    order by id desc limit ${MAILS_PER_LOGIN}`.execute(ctx.db)
  for (const { id } of rows.toReversed()) await mailNotification(ctx, { notificationId: id })
}
