import { sql } from 'kysely'
import { readMailChoice, saveMailChoice } from '../../src/domain/notifications/mails.ts'
import type { MailChoice } from '../../src/domain/notifications/mails.ts'
import { mailNotification } from '../../src/mail/notification.ts'
import type { BuilderCtx } from '../../test/query-builder.ts'

interface Recipient {
  accountId: string
  userId: string
}

/** So many for each log-in, of the newest: an outbox that can still be read. */
const MAILS_EACH = 8

/** Turns e-mail notifications off for a user while the world is filled. Returns what they would have chosen. */
export async function turnMailsOff(ctx: BuilderCtx, { userId }: Pick<Recipient, 'userId'>): Promise<MailChoice> {
  return ctx.write(async (tx) => {
    const choice = await readMailChoice(tx, { userId })
    await saveMailChoice(tx, { userId, kinds: [], always: false })
    return choice
  })
}

/** Turns them on again, and mails the user their newest notifications. */
export async function turnMailsOn(
  ctx: BuilderCtx,
  { accountId, userId, choice }: Recipient & { choice: MailChoice },
): Promise<void> {
  await ctx.write((tx) => saveMailChoice(tx, { userId, ...choice }))
  const { rows } = await sql<{ id: string }>`
    select id from notifications where account_id = ${accountId} and type = any(${choice.kinds}::text[]) and not filtered
    order by id desc limit ${MAILS_EACH}`.execute(ctx.db)
  for (const { id } of rows.toReversed()) await mailNotification(ctx, { notificationId: id })
}
