import type { Ctx } from '../domain/context.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { findRecipient } from './find-recipient.ts'
import { siteOf } from './site-of.ts'
import { testMail } from './templates/test-mail.ts'

/** Effect: sends the test mail that a member of the staff has requested. */
export async function mailTest(
  ctx: Ctx,
  { accountId, requestId }: { accountId: string; requestId: string },
): Promise<void> {
  const user = await findRecipient(ctx, { accountId })
  if (!user) return
  const mail = testMail({ locale: user.locale, site: siteOf(ctx) })
  await ctx.write((tx) => enqueueMail(tx, { key: `test:${requestId}`, recipient: user.email, ...mail }))
}
