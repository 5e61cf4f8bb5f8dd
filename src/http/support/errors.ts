import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import { BadRequest, NotFound, Refusal, TooLarge, Unavailable, Unprocessable } from '../../lib/errors.ts'
import { isTransient, isUnreachable } from '../../platform/db/connect.ts'
import { errorPage } from '../pages/error.ts'
import { sendPlainPage } from './page.ts'

/** PostgreSQL's codes for text that it can't hold and for numbers out of range: the caller's input, not our fault. */
const BAD_INPUT = new Set(['22021', '22P05', '22P02', '22003', '22007', '22008'])

/** The one place where refusals of every floor become answers of HTTP. */
export function answerErrors(app: FastifyInstance, ctx: Ctx): void {
  app.setErrorHandler(async (err: FastifyError, request, reply) =>
    answer(ctx, { refusal: refusalOf(ctx, request, err), request, reply }),
  )
  app.setNotFoundHandler(async (request, reply) => answer(ctx, { refusal: new NotFound(), request, reply }))
}

async function answer(
  ctx: Ctx,
  { refusal, request, reply }: { refusal: Refusal; request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  reply.code(refusal.status).header('cache-control', 'private, no-store')
  if (wantsPage(request)) {
    return sendPlainPage(ctx, {
      request,
      reply,
      page: (frame) => errorPage(frame, { status: refusal.status, reference: request.id }),
    })
  }
  return reply
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ error: refusal.message, ...refusal.extra }))
}

/** Programs get JSON; a browser on a page of ours gets a page. */
function wantsPage(request: FastifyRequest): boolean {
  const path = request.url
  if (/^\/(api|oauth\/(token|revoke|userinfo)|\.well-known|health|livez|readyz|metrics)(\/|\?|$)/.test(path))
    return false
  return (request.headers.accept ?? '').includes('text/html')
}

function refusalOf(ctx: Ctx, request: FastifyRequest, err: FastifyError): Refusal {
  if (err instanceof Refusal) return err
  if (err.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new TooLarge()
  if (BAD_INPUT.has(err.code)) return new Unprocessable('The request holds a value that can not be stored')
  if (isTransient(err) || isUnreachable(err)) {
    ctx.log.warn({ err, route: request.routeOptions.url }, 'the database was not there for a request')
    return new Unavailable()
  }
  if (typeof err.statusCode === 'number' && err.statusCode >= 400 && err.statusCode < 500) {
    return err.statusCode === 400 ? new BadRequest() : new Refusal(err.statusCode, plain(err.statusCode))
  }
  ctx.log.error({ err, method: request.method, route: request.routeOptions.url }, 'a request failed')
  return new Refusal(500, 'An unexpected error occurred')
}

function plain(status: number): string {
  return status === 415 ? 'The content type is not supported' : 'The request can not be answered'
}
