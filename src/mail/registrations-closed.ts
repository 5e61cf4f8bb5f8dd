import { findStaff } from '../domain/access/find-staff.ts'
import { MODERATOR_DAYS } from '../domain/accounts/registration/close-unmoderated-registrations.ts'
import type { Ctx } from '../domain/context.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { localeOfRecipient } from './find-recipient.ts'
import { siteOf } from './site-of.ts'
import { registrationsClosedMail } from './templates/account.ts'

/** Effect: informs the staff who can change the settings that registrations need approval from now on. */
export async function mailRegistrationsClosed(ctx: Ctx, { at }: { at: number }): Promise<void> {
  const site = siteOf(ctx)
  const { origin } = ctx.config
  const url = `${origin}/admin/settings/registrations`
  const staff = await findStaff(ctx, { permission: 'manageSettings' })
  await ctx.write(async (tx) => {
    for (const recipient of staff) {
      const locale = localeOfRecipient(ctx, recipient)
      const mail = registrationsClosedMail({ locale, site, url, days: MODERATOR_DAYS })
      await enqueueMail(tx, { key: `auto-close:${at}:${recipient.userId}`, recipient: recipient.email, ...mail })
    }
  })
}
