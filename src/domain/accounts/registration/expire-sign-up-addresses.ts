import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'

/** Days after which the IP address of a sign-up is deleted, as in Mastodon. */
const SIGN_UP_ADDRESS_DAYS = 365

const removeAddresses = statement<{ params: { before: Date } }>(
  `update users set sign_up_ip = null where sign_up_ip is not null and created_at < $before`,
)

/** Deletes the IP addresses of old sign-ups. */
export async function expireSignUpAddresses(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - SIGN_UP_ADDRESS_DAYS * 86_400_000)
  await ctx.write(({ db }) => removeAddresses(db, { before }))
}
