import { randomUUID } from 'node:crypto'
import { UnprocessableError } from '../../lib/errors.ts'
import type { Ctx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'

/**
 * Requests a test mail to the address of a member of the staff, after the mail server has accepted a connection.
 * @throws UnprocessableError without a mail server, or with the reason why it accepts no connection
 */
export async function requestTestMail(ctx: Ctx, { by }: { by: { readonly accountId: string } }): Promise<void> {
  if (!ctx.smtp) throw new UnprocessableError('No mail server is configured')
  try {
    await ctx.smtp.verify()
  } catch (err) {
    const reason = err instanceof Error ? err.message : String(err)
    throw new UnprocessableError(`The mail server does not accept mails: ${reason}`)
  }
  await ctx.write(async (tx) => {
    tx.emit('mail.test_requested', { accountId: by.accountId, requestId: randomUUID() })
    await recordAuditEntry(tx, { by, action: 'test', targetType: 'mail', targetId: null, label: 'test mail' })
  })
}
