import type { Ctx } from '../domain/context.ts'
import { readArchiveRetention } from '../domain/transfers/archives/account-archives.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { findRecipient } from './find-recipient.ts'
import { siteOf } from './site-of.ts'
import { archiveMail } from './templates/archive.ts'

/** Effect: informs a user that the requested archive can be downloaded. */
export async function mailArchive(
  ctx: Ctx,
  { archiveId, accountId }: { archiveId: string; accountId: string },
): Promise<void> {
  const user = await findRecipient(ctx, { accountId })
  if (!user) return
  const site = siteOf(ctx)
  const { origin } = ctx.config
  const mail = archiveMail({
    locale: user.locale,
    site,
    url: `${origin}/settings/export`,
    days: await readArchiveRetention(ctx),
  })
  await ctx.write((tx) => enqueueMail(tx, { key: `archive:${archiveId}`, recipient: user.email, ...mail }))
}
