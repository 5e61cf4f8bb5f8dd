import { findStaff } from '../domain/accounts/staff.ts'
import type { Ctx } from '../domain/context.ts'
import { writeMail } from '../domain/mails/write-mail.ts'
import { askForReview } from '../domain/trends/ask-review.ts'
import { trendsLetter } from './templates/trends.ts'

/** Effect: asks those who decide what may trend to look at what would, and nobody has said anything about. */
export async function mailTrends(ctx: Ctx): Promise<void> {
  const staff = await findStaff(ctx, { permission: 'manageTaxonomies' })
  if (staff.length === 0) return
  await ctx.write(async (tx) => {
    const found = await askForReview(tx)
    if (!found) return
    const letter = trendsLetter({ site: ctx.config.localDomain, url: ctx.config.origin, ...found })
    for (const { userId, email } of staff) {
      await writeMail(tx, { key: `trends:${tx.now.toISOString()}:${userId}`, recipient: email, ...letter })
    }
  })
}
