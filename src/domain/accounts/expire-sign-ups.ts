import type { Ctx } from '../context.ts'
import { CONFIRMATION_DAYS } from './confirm.ts'

/** Removes accounts whose address was not confirmed in time. Name and address are free again. */
export async function expireSignUps(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - CONFIRMATION_DAYS * 86_400_000)
  await ctx.write(({ db }) =>
    db
      .deleteFrom('accounts as a')
      .using('users as u')
      .whereRef('u.account_id', '=', 'a.id')
      .where('u.confirmed_at', 'is', null)
      .where('u.confirmation_sent_at', '<', before)
      .execute(),
  )
}
