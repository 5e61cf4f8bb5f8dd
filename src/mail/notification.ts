import type { Ctx } from '../domain/context.ts'
import { writeMail } from '../domain/mails/write-mail.ts'
import { findMailedNotification } from '../domain/notifications/mails.ts'
import { plainText } from '../lib/text/plainText.ts'
import { statement } from '../platform/db/statement.ts'
import { notificationLetter } from './templates/notification.ts'

const findStatus = statement<{
  params: { statusId: string }
  row: { text: string; spoiler_text: string; local: boolean; url: string; open: boolean }
}>(
  `select text, spoiler_text, local, url, local and not local_only and visibility in ('public', 'unlisted') as open
   from statuses where id = $statusId`,
)

/** Effect: writes to somebody what happened, unless they have seen it by now. */
export async function mailNotification(ctx: Ctx, { notificationId }: { notificationId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const news = await findMailedNotification(tx, { notificationId })
    if (!news) return
    const { kind, userId, email, statusId, fromName, fromHandle } = news
    const [status] = statusId === null ? [] : await findStatus(tx.db, { statusId })
    const { origin } = ctx.config
    const tag = ctx.secrets.seal('unsubscribe', `${userId} ${kind}`)
    const unsubscribeUrl = new URL(
      `/unsubscribe?${new URLSearchParams({ user: userId, type: kind, token: tag }).toString()}`,
      origin,
    ).href
    const letter = notificationLetter({
      site: ctx.config.localDomain,
      kind,
      fromName,
      fromHandle,
      // What its author hides behind a warning is not sent around in letters either.
      words: status ? status.spoiler_text || (status.local ? status.text : plainText(status.text)) : null,
      // There is a page of what everybody may read and somebody here wrote.
      url: status?.open
        ? status.url
        : new URL(status || kind === 'follow_request' ? '/account' : `/@${fromHandle}`, origin).href,
      unsubscribeUrl,
    })
    await writeMail(tx, { key: `notification:${notificationId}`, recipient: email, unsubscribeUrl, ...letter })
  })
}
