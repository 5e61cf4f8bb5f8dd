import type { Ctx } from '../context.ts'
import { isBlockedCanonically } from './canonical-email-blocks.ts'
import { checkEmailDomain } from './check-email-domain.ts'

/** Returns whether a block of the staff refuses a new address of a user who has an account: its domain, or itself. */
export async function isEmailBlocked(ctx: Ctx, { email }: { email: string }): Promise<boolean> {
  const emailDomain = await checkEmailDomain(ctx, { email, attemptIp: null })
  return emailDomain === 'blocked' || (await isBlockedCanonically(ctx, { email }))
}
