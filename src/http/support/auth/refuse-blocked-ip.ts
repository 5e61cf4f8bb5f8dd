import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import { isAccessBlocked } from '../../../domain/ip-blocks/find-ip-block.ts'
import { ForbiddenError } from '../../../lib/errors.ts'
import { readContextOf } from '../read-context.ts'
import type { RoutePolicy } from './route-policy.ts'

/**
 * Refuses requests from addresses with a `no_access` block. Files are served nevertheless: they need no database, and
 * the page of the refusal uses some of them.
 * @throws ForbiddenError
 */
export async function refuseBlockedIp(
  ctx: Ctx,
  { request, access }: { request: FastifyRequest; access: RoutePolicy },
): Promise<void> {
  if (access.ignoresIpBlocks || access.cache === 'file') return
  if (await isAccessBlocked(ctx, { ip: request.clientIp, open: () => readContextOf(ctx, request) }))
    throw new ForbiddenError()
}
