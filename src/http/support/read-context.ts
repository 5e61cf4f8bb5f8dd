import type { FastifyRequest } from 'fastify'
import type { CachedRead, Ctx } from '../../domain/context.ts'
import { openRead } from '../../domain/open-read.ts'

const CONTEXT = Symbol('read context')

type WithContext = FastifyRequest & { [CONTEXT]?: CachedRead }

/** Checks for invalidations on behalf of a request, and returns the context in which the request reads through the caches. */
export async function openReadContext({ db, config }: Ctx, request: FastifyRequest): Promise<CachedRead> {
  const read = await openRead({ db, config })
  ;(request as WithContext)[CONTEXT] = read
  return read
}

/** Returns the context that was opened for the request, or opens it: a request checks for invalidations once. */
export async function readContextOf(ctx: Ctx, request: FastifyRequest): Promise<CachedRead> {
  return (request as WithContext)[CONTEXT] ?? openReadContext(ctx, request)
}
