import type { Ctx } from '../domain/context.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { findMailedNotification } from '../domain/notifications/email-notifications.ts'
import { htmlToPlainText } from '../lib/html/html-to-plain-text.ts'
import { displayHandle } from '../lib/usernames.ts'
import { statement } from '../platform/db/statement.ts'
import { localeOfRecipient } from './find-recipient.ts'
import { notificationMail } from './templates/notification.ts'

const findStatus = statement<{
  params: { statusId: string }
  row: { text: string; spoiler_text: string; local: boolean; url: string; has_page: boolean }
}>(
  `select text, spoiler_text, local, url, local and not local_only and visibility in ('public', 'unlisted') as has_page
   from statuses where id = $statusId`,
)

/** Effect: mails a notification to its user, unless they have seen it by now. */
export async function mailNotification(ctx: Ctx, { notificationId }: { notificationId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const due = await findMailedNotification(tx, { notificationId })
    if (!due) return
    const { type, userId, email, statusId, fromName, fromHandle } = due
    const [status] = statusId === null ? [] : await findStatus(tx.db, { statusId })
    const { origin } = ctx.config
    const token = ctx.secrets.sign('unsubscribe', `${userId} ${type}`)
    const unsubscribeUrl = new URL(
      `/unsubscribe?${new URLSearchParams({ user: userId, type, token }).toString()}`,
      origin,
    ).href
    const mail = notificationMail({
      locale: localeOfRecipient(ctx, due),
      site: ctx.config.localDomain,
      kind: type,
      fromName,
      fromHandle: displayHandle(fromHandle),
      // A mail shows the content warning instead of the text behind it.
      text: status ? status.spoiler_text || (status.local ? status.text : htmlToPlainText(status.text)) : null,
      // Only local posts that are public or unlisted have a page.
      url: status?.has_page
        ? status.url
        : new URL(status || type === 'follow_request' ? '/account' : `/@${fromHandle}`, origin).href,
      unsubscribeUrl,
    })
    await enqueueMail(tx, { key: `notification:${notificationId}`, recipient: email, unsubscribeUrl, ...mail })
  })
}
