import { NotFoundError } from '../lib/errors.ts'
import type { Ctx } from '../domain/context.ts'
import { findUnsentMail, markMailSent } from '../domain/mails/outbox.ts'

/**
 * Effect: sends a mail by SMTP. If no mail server is configured, the mail stays in the outbox, where the owner can read
 * it.
 */
export async function sendMail(ctx: Ctx, { mailId }: { mailId: string }): Promise<void> {
  if (!ctx.smtp) return
  const mail = await findUnsentMail(ctx, { id: mailId }).catch((err: unknown) => {
    if (err instanceof NotFoundError) return null
    throw err
  })
  if (!mail) return
  await ctx.smtp.send({
    // The message id is the same for all attempts, and cannot be guessed.
    id: `${mail.id}.${ctx.secrets.sign('message id', mail.id).slice(0, 22)}`,
    to: mail.recipient,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    unsubscribeUrl: mail.unsubscribeUrl,
  })
  await ctx.write((tx) => markMailSent(tx, { id: mailId }))
}
