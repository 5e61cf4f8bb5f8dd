import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'

const removeAddresses = statement<{ params: { before: Date } }>(
  `update users set sign_up_ip = null where sign_up_ip is not null and created_at < $before`,
)

/** Deletes the IP addresses of sign-ups that are older than `IP_RETENTION_PERIOD`. */
export async function expireSignUpAddresses(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - ctx.config.retention.ipSeconds * 1_000)
  await ctx.write(({ db }) => removeAddresses(db, { before }))
}
