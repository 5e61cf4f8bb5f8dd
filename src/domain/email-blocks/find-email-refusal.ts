import type { FieldError } from '../../lib/errors.ts'
import type { Ctx } from '../context.ts'
import { isBlockedCanonically } from './canonical-email-blocks.ts'
import { BLOCKED_EMAIL, checkEmailDomain } from './check-email-domain.ts'
import { isEmailUnreachable, UNREACHABLE_EMAIL } from './is-email-unreachable.ts'

/**
 * Returns why a new address of a user who has an account is refused: a block of the staff, of its domain or itself, or
 * because its domain receives no mail. null: it is not.
 */
export async function findEmailRefusal(ctx: Ctx, { email }: { email: string }): Promise<FieldError | null> {
  const emailDomain = await checkEmailDomain(ctx, { email, attemptIp: null })
  if (emailDomain === 'blocked' || (await isBlockedCanonically(ctx, { email }))) return BLOCKED_EMAIL
  return (await isEmailUnreachable(ctx, { email })) ? UNREACHABLE_EMAIL : null
}
