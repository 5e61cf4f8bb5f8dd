import { NotFound } from '../lib/errors.ts'
import type { Ctx } from '../domain/context.ts'
import { findMail, markMailSent } from '../domain/mails/outbox.ts'

/** Effect: sends a mail by the mail server. Without one it stays in the outbox, where the owner can read it. */
export async function sendMail(ctx: Ctx, { mailId }: { mailId: string }): Promise<void> {
  if (!ctx.smtp) return
  const mail = await findMail(ctx, { id: mailId }).catch((err: unknown) => {
    if (err instanceof NotFound) return null
    throw err
  })
  if (!mail) return
  await ctx.smtp.send({
    // The same for each attempt, and not to be guessed from outside.
    id: `${mail.id}.${ctx.secrets.seal('message id', mail.id).slice(0, 22)}`,
    to: mail.recipient,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    unsubscribeUrl: mail.unsubscribeUrl,
  })
  await ctx.write((tx) => markMailSent(tx, { id: mailId }))
}
