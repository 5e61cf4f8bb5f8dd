import { findStaff } from '../domain/access/find-staff.ts'
import type { Ctx } from '../domain/context.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { recipientsOf } from '../domain/notifications/staff-mails.ts'
import { findUnreviewedTrends } from '../domain/trends/find-unreviewed-trends.ts'
import { localeOfRecipient } from './find-recipient.ts'
import { siteOf } from './site-of.ts'
import { trendsMail } from './templates/trends.ts'

/** The kinds of trends, in the order of the mail. Their pages have the same names. */
const KINDS = ['tags', 'statuses', 'links'] as const

/** Effect: asks the staff who can review trends to review those that are new. */
export async function mailTrends(ctx: Ctx): Promise<void> {
  const staff = recipientsOf(await findStaff(ctx, { permission: 'manageTaxonomies' }), 'trends')
  if (staff.length === 0) return
  await ctx.write(async (tx) => {
    const found = await findUnreviewedTrends(tx)
    if (!found) return
    const kind = KINDS.find((name) => found[name].length > 0) ?? KINDS[0]
    const url = `${ctx.config.origin}/admin/trends?kind=${kind}&review=pending`
    for (const recipient of staff) {
      const locale = localeOfRecipient(ctx, recipient)
      const mail = trendsMail({ locale, site: siteOf(ctx), url, ...found })
      await enqueueMail(tx, {
        key: `trends:${tx.now.toISOString()}:${recipient.userId}`,
        recipient: recipient.email,
        ...mail,
      })
    }
  })
}
