import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import {
  BadRequestError,
  NotFoundError,
  RequestError,
  RETRY_AFTER_SECONDS,
  PayloadTooLargeError,
  ServiceUnavailableError,
  UnprocessableError,
  ValidationError,
} from '../../../lib/errors.ts'
import { translateError } from '../../../lib/error-texts/translate-error.ts'
import { isRetryableConflict, isDatabaseUnreachable } from '../../../platform/db/connection.ts'
import { createOutageReport } from '../../../platform/log/create-outage-report.ts'
import { StorageFullError, StorageUnavailableError } from '../../../platform/storage/storage.ts'
import { errorPage } from '../../pages/error/template.ts'
import { languagesOfClient, sendErrorPage } from './send-page.ts'

/**
 * The paths whose validation errors name the invalid fields: those of the staff, because the web client shows the
 * problems at the fields of its forms, and those that update a profile, as in Mastodon.
 */
const WITH_DETAILS = /^\/api\/v1\/(admin\/|profile(\?|$)|accounts\/update_credentials(\?|$))/

/** The path of a profile, or of something below it, with an encoded `@`. */
const ENCODED_PROFILE = /^\/%40[^/?]/

/** Converts the errors of all layers to HTTP responses. */
export function handleErrors(app: FastifyInstance, ctx: Ctx): void {
  const reports: OutageReports = {
    database: createOutageReport(ctx.log, 'The database failed during a request'),
    storage: createOutageReport(ctx.log, 'The storage failed during a request'),
    fullStorage: createOutageReport(ctx.log, 'The storage failed during a request'),
  }
  app.setErrorHandler(async (err: FastifyError, request, reply) =>
    sendError(ctx, { error: clientErrorOf(ctx, { request, err, reports }), request, reply }),
  )
  app.setNotFoundHandler(async (request, reply) => {
    // Some programs encode the character in links to profiles and posts, and the router does not decode it.
    if (request.method === 'GET' && ENCODED_PROFILE.test(request.url))
      return reply.redirect(`/@${request.url.slice(4)}`)
    return sendError(ctx, { error: new NotFoundError(), request, reply })
  })
}

/** Returns a handler for paths that are malformed or too long, which responds with 404. */
export function handleBadPath(ctx: Ctx) {
  return (_err: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.header('x-content-type-options', 'nosniff')
    void sendError(ctx, { error: new NotFoundError(), request, reply })
  }
}

async function sendError(
  ctx: Ctx,
  { error, request, reply }: { error: RequestError; request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  reply.code(error.status).header('cache-control', 'private, no-store')
  // A throttle has set the end of its window; other limits, such as a full queue of password checks, end soon.
  if (error.status === 503 || (error.status === 429 && !reply.hasHeader('retry-after')))
    reply.header('retry-after', RETRY_AFTER_SECONDS)
  if (acceptsPage(request)) {
    return sendErrorPage(ctx, {
      request,
      reply,
      page: (frame) => errorPage(frame, { status: error.status, reference: request.id }),
    })
  }
  const described = error instanceof ValidationError && WITH_DETAILS.test(request.url) ? error.withDetails() : error
  return reply
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(translateError(described, { languages: languagesOfClient(ctx, request) })))
}

/** Whether the response should be an HTML page: for browsers outside of the API. Other clients get JSON. */
function acceptsPage(request: FastifyRequest): boolean {
  const path = request.url
  if (/^\/(api|oauth\/(token|revoke|introspect|userinfo)|\.well-known|health|livez|readyz|metrics)(\/|\?|$)/.test(path))
    return false
  return (request.headers.accept ?? '').includes('text/html')
}

type OutageReports = Record<'database' | 'storage' | 'fullStorage', ReturnType<typeof createOutageReport>>

function clientErrorOf(
  ctx: Ctx,
  { request, err, reports }: { request: FastifyRequest; err: FastifyError; reports: OutageReports },
): RequestError {
  const route = request.routeOptions.url
  if (err instanceof StorageUnavailableError) reports.storage({ err, method: request.method, route })
  if (err instanceof StorageFullError) reports.fullStorage({ err, method: request.method, route })
  if (err instanceof RequestError) return err
  if (err.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new PayloadTooLargeError()
  if (typeof err.statusCode === 'number' && err.statusCode >= 400 && err.statusCode < 500) {
    return err.statusCode === 400
      ? new BadRequestError()
      : new RequestError(err.statusCode, genericMessage(err.statusCode))
  }
  const databaseError = clientErrorOfDatabase(err)
  // The message of PostgreSQL may quote user data, so only its code is logged.
  if (databaseError) {
    const text =
      databaseError.status === 503
        ? 'PostgreSQL ended a request after a timeout or a conflict'
        : 'PostgreSQL rejected the data of a request'
    ctx.log.warn({ code: err.code, method: request.method, route }, text)
    return databaseError
  }
  if (isDatabaseUnreachable(err)) {
    reports.database({ err, route })
    return new ServiceUnavailableError()
  }
  ctx.log.error({ err, method: request.method, route }, 'Request failed')
  return new RequestError(500, 'An unexpected error occurred')
}

/**
 * Returns the error for a PostgreSQL error that was caused by the data of the request or by a concurrent transaction;
 * null if it is a fault of the server. A code (SQLSTATE) has five characters, of which the first two are its class.
 */
function clientErrorOfDatabase(err: FastifyError): RequestError | null {
  const { code } = err
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return null
  // A conflict of transactions, an unavailable lock, or a timeout.
  if (isRetryableConflict(err) || code === '55P03' || code === '57014' || code === '25P03')
    return new ServiceUnavailableError()
  if (code === '23505') return new UnprocessableError('Duplicate record')
  // A referenced row was deleted in the meantime.
  if (code === '23503') return new NotFoundError()
  // Data that PostgreSQL cannot store: invalid texts, values out of range, rows that are too large, violated checks.
  const isInput = code.startsWith('22') || code.startsWith('54') || code === '23514'
  return isInput ? new UnprocessableError('The request holds a value that can not be stored') : null
}

function genericMessage(status: number): string {
  return status === 415 ? 'The content type is not supported' : 'The request can not be answered'
}
