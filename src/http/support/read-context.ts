import type { FastifyRequest } from 'fastify'
import type { CachedRead, Ctx } from '../../domain/context.ts'
import { openRead } from '../../domain/open-read.ts'

const CONTEXT = Symbol('read context')

type WithContext = FastifyRequest & { [CONTEXT]?: CachedRead }

/** Checks for invalidations and returns the context in which a request reads through the caches. */
export async function openReadContext({ db, config }: Ctx, request: FastifyRequest): Promise<CachedRead> {
  const read = await openRead({ db, config })
  ;(request as WithContext)[CONTEXT] = read
  return read
}

/**
 * Returns the read context of a request, which is opened at the first call: a request checks for invalidations once.
 */
export async function readContextOf(ctx: Ctx, request: FastifyRequest): Promise<CachedRead> {
  return (request as WithContext)[CONTEXT] ?? openReadContext(ctx, request)
}
