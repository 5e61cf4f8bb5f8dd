import type { Ctx } from '../domain/context.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { findMailedNotification } from '../domain/notifications/email-notifications.ts'
import { htmlToPlainText } from '../lib/html/html-to-plain-text.ts'
import { displayHandle } from '../lib/usernames.ts'
import { statement } from '../platform/db/statement.ts'
import { localeOfRecipient } from './find-recipient.ts'
import { siteOf } from './site-of.ts'
import { notificationMail } from './templates/notification.ts'

interface MailedStatus {
  id: string
  text: string
  spoiler_text: string
  local: boolean
  url: string
  has_page: boolean
  /** The handle of the author. */
  handle: string
}

const findStatus = statement<{ params: { statusId: string }; row: MailedStatus }>(
  `select s.id, case when s.local then s.text else s.content end as text, s.spoiler_text, s.local, s.url,
     s.local and not s.local_only and s.visibility in ('public', 'unlisted') as has_page,
     a.username || coalesce('@' || a.domain, '') as handle
   from statuses s join accounts a on a.id = s.account_id where s.id = $statusId`,
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
      site: siteOf(ctx),
      kind: type,
      fromName,
      fromHandle: displayHandle(fromHandle),
      // A mail shows the content warning instead of the text behind it.
      text: status ? status.spoiler_text || (status.local ? status.text : htmlToPlainText(status.text)) : null,
      url: status
        ? urlOf(status, origin)
        : `${origin}/${type === 'follow_request' ? 'follow_requests' : `@${fromHandle}`}`,
      unsubscribeUrl,
    })
    await enqueueMail(tx, { key: `notification:${notificationId}`, recipient: email, unsubscribeUrl, ...mail })
  })
}

/**
 * Returns the URL of a post. Only local posts that are public or unlisted have a page for everybody. To others, the link
 * leads through the log-in, which redirects a user who is logged in to the post in the web client.
 */
function urlOf({ has_page: hasPage, url, handle, id }: MailedStatus, origin: string): string {
  return hasPage ? url : `${origin}/auth/sign_in?${new URLSearchParams({ next: `/@${handle}/${id}` }).toString()}`
}
