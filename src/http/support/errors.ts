import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import {
  BadRequest,
  NotFound,
  Refusal,
  RETRY_AFTER_SECONDS,
  TooLarge,
  Unavailable,
  Unprocessable,
} from '../../lib/errors.ts'
import { translateError } from '../../lib/error-texts/translate-error.ts'
import { isTransient, isUnreachable } from '../../platform/db/connect.ts'
import { errorPage } from '../pages/error/template.ts'
import { sendPlainPage } from './page.ts'

/** The one place where refusals of every floor become answers of HTTP. */
export function answerErrors(app: FastifyInstance, ctx: Ctx): void {
  app.setErrorHandler(async (err: FastifyError, request, reply) =>
    answer(ctx, { refusal: refusalOf(ctx, request, err), request, reply }),
  )
  app.setNotFoundHandler(async (request, reply) => answer(ctx, { refusal: new NotFound(), request, reply }))
}

/** A path that can't be read, or is longer than any, is one that nothing lies at. */
export function refuseBadPath(ctx: Ctx) {
  return (_err: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.header('x-content-type-options', 'nosniff')
    void answer(ctx, { refusal: new NotFound(), request, reply })
  }
}

async function answer(
  ctx: Ctx,
  { refusal, request, reply }: { refusal: Refusal; request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  reply.code(refusal.status).header('cache-control', 'private, no-store')
  if (refusal.status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
  if (wantsPage(request)) {
    return sendPlainPage(ctx, {
      request,
      reply,
      page: (frame) => errorPage(frame, { status: refusal.status, reference: request.id }),
    })
  }
  return reply
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(translateError(refusal, { acceptLanguage: request.headers['accept-language'] })))
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
  const route = request.routeOptions.url
  if (err.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new TooLarge()
  if (typeof err.statusCode === 'number' && err.statusCode >= 400 && err.statusCode < 500) {
    return err.statusCode === 400 ? new BadRequest() : new Refusal(err.statusCode, plain(err.statusCode))
  }
  const refusal = refusalOfDatabase(err)
  // A text of PostgreSQL may quote what somebody wrote, so only its code is told.
  if (refusal) ctx.log.warn({ code: err.code, method: request.method, route }, 'the database refused a request')
  if (refusal) return refusal
  if (isUnreachable(err)) {
    ctx.log.warn({ err, route }, 'the database was not there for a request')
    return new Unavailable()
  }
  ctx.log.error({ err, method: request.method, route }, 'a request failed')
  return new Refusal(500, 'An unexpected error occurred')
}

/**
 * What PostgreSQL refused because of what was sent, or of what happened at the same time; null when it is our mistake.
 * The five characters of a code: the class, then the case.
 */
function refusalOfDatabase(err: FastifyError): Refusal | null {
  const { code } = err
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return null
  // Two that met, a lock or a time that was not to be had.
  if (isTransient(err) || code === '55P03' || code === '57014' || code === '25P03') return new Unavailable()
  if (code === '23505') return new Unprocessable('Duplicate record')
  // What it belongs to was deleted meanwhile.
  if (code === '23503') return new NotFound()
  // Texts that can't be held, numbers and dates out of range, what is too large.
  const isInput = code.startsWith('22') || code.startsWith('54') || code === '23514'
  return isInput ? new Unprocessable('The request holds a value that can not be stored') : null
}

function plain(status: number): string {
  return status === 415 ? 'The content type is not supported' : 'The request can not be answered'
}
