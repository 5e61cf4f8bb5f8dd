import type { Ctx } from '../domain/context.ts'
import { writeMail } from '../domain/mails/write-mail.ts'
import { findMailedNotification } from '../domain/notifications/mails.ts'
import { plainText } from '../lib/text/plainText.ts'
import { statement } from '../platform/db/statement.ts'
import { localeOfRecipient } from './find-recipient.ts'
import { notificationMail } from './templates/notification.ts'

const findStatus = statement<{
  params: { statusId: string }
  row: { text: string; spoiler_text: string; local: boolean; url: string; open: boolean }
}>(
  `select text, spoiler_text, local, url, local and not local_only and visibility in ('public', 'unlisted') as open
   from statuses where id = $statusId`,
)

/** Effect: mails a notification to its user, unless they have seen it by now. */
export async function mailNotification(ctx: Ctx, { notificationId }: { notificationId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const due = await findMailedNotification(tx, { notificationId })
    if (!due) return
    const { kind, userId, email, statusId, fromName, fromHandle } = due
    const [status] = statusId === null ? [] : await findStatus(tx.db, { statusId })
    const { origin } = ctx.config
    const tag = ctx.secrets.seal('unsubscribe', `${userId} ${kind}`)
    const unsubscribeUrl = new URL(
      `/unsubscribe?${new URLSearchParams({ user: userId, type: kind, token: tag }).toString()}`,
      origin,
    ).href
    const mail = notificationMail({
      locale: localeOfRecipient(ctx, due),
      site: ctx.config.localDomain,
      kind,
      fromName,
      fromHandle,
      // A mail shows the content warning instead of the text behind it.
      words: status ? status.spoiler_text || (status.local ? status.text : plainText(status.text)) : null,
      // Public posts of this server have a page of their own.
      url: status?.open
        ? status.url
        : new URL(status || kind === 'follow_request' ? '/account' : `/@${fromHandle}`, origin).href,
      unsubscribeUrl,
    })
    await writeMail(tx, { key: `notification:${notificationId}`, recipient: email, unsubscribeUrl, ...mail })
  })
}
