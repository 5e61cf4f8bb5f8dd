import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Read } from '../context.ts'

/** New terms that a user has not opened yet. */
export interface TermsReview {
  /** Such as `2026-01-31`. */
  effectiveDate: string
  /** Whether they are in force. */
  effective: boolean
}

const find = statement<{ params: { userId: string; now: Date }; row: TermsReview }>(
  `select to_char(effective_date, 'YYYY-MM-DD') as "effectiveDate",
    effective_date <= ($now::timestamptz at time zone 'UTC')::date as effective
   from terms_reviews where user_id = $userId`,
)
const remove = statement<{ params: { userId: string; effectiveDate: string } }>(
  `delete from terms_reviews where user_id = $userId and effective_date <= $effectiveDate::text::date`,
)

/** Returns the terms that a user is to review, or null. */
export async function findTermsReview(
  read: Read,
  { userId, now }: { userId: string; now: Date },
): Promise<TermsReview | null> {
  const [review] = await find(read.db, { userId, now })
  return review ?? null
}

/** Records that a user has opened the terms of a date. Those of an earlier one do not need to be opened any more. */
export async function completeTermsReview(
  ctx: Ctx,
  { userId, effectiveDate }: { userId: string; effectiveDate: string },
): Promise<void> {
  const review = await findTermsReview(ctx, { userId, now: ctx.now() })
  if (review && review.effectiveDate <= effectiveDate)
    await ctx.write(({ db }) => remove(db, { userId, effectiveDate }))
}
