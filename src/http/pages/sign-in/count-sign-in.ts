import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import { countUse } from '../../support/rate-limits/rate-limits.ts'
import { THROTTLES } from '../../support/rate-limits/throttles.ts'

/**
 * Counts an attempt to log in, in all its steps: by the user whose password or second factor is checked, since spelling
 * the login in other ways must not give more attempts, else (`userId` null) by the entered identifier.
 * @throws TooManyRequestsError; ServiceUnavailableError if the rate limiter is unavailable
 */
export async function countSignIn(
  ctx: Ctx,
  {
    request,
    reply,
    userId,
    identifier,
  }: { request: FastifyRequest; reply: FastifyReply; userId: string | null; identifier: string },
): Promise<void> {
  const key = userId === null ? `login:${identifier}` : `user:${userId}`
  await countUse(ctx, { request, reply, throttle: THROTTLES.signInAccount, key })
}
