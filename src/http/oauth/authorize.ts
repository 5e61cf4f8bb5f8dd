import { Type } from 'typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { issueCode } from '../../domain/auth/authorization-codes.ts'
import { OAuthRequestError } from '../../domain/auth/oauth-request-error.ts'
import { lockSession } from '../../domain/auth/sessions.ts'
import { isWebClient } from '../../domain/auth/web-client.ts'
import type { Viewer } from '../../domain/auth/viewer.ts'
import type { Ctx } from '../../domain/context.ts'
import { message } from '../../lib/messages/message.ts'
import type { TypedFastify } from '../typed-fastify.ts'
import { consentDonePage } from '../pages/consent/done-template.ts'
import { consentPage } from '../pages/consent/template.ts'
import { errorPage } from '../pages/error/template.ts'
import { nativeCodePage } from '../pages/consent/code-template.ts'
import type { Frame } from '../pages/layout/layout.ts'
import { paths } from '../pages/paths.ts'
import { sessionSecretOf } from '../support/auth/session.ts'
import { cspSourceOf, percentEncodeNonAscii } from '../support/response/redirect-uri.ts'
import { findPageAccount, localeOf, sendPage, sendPlainPage } from '../support/response/send-page.ts'
import {
  redirectUrl,
  AUTHORIZATION_PARAMS,
  AuthorizationRequestError,
  authorizationPath,
  isOutOfBand,
  readAuthorizationRequest,
} from './authorization-request.ts'
import type { AuthorizationRequest, AuthorizationParams } from './authorization-request.ts'

const OUT_OF_BAND_PATH = '/oauth/authorize/native'

const schemaBase = { tags: ['oauth'] }
const ConsentBody = Type.Object({
  ...AUTHORIZATION_PARAMS,
  csrf: Type.Optional(Type.String()),
  decision: Type.Optional(Type.String()),
})

/**
 * The authorization endpoint (Mastodon: GET and POST /oauth/authorize). Asks for consent at every request, except for
 * the web client.
 */
export async function authorize(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '/oauth/authorize',
    {
      schema: {
        ...schemaBase,
        summary: 'Authorize a user',
        querystring: Type.Object({ ...AUTHORIZATION_PARAMS, force_login: Type.Optional(Type.Boolean()) }),
      },
    },
    async (request, reply) => {
      const { force_login: forceLogin, ...parameters } = request.query
      const exchange = { request, reply }
      const authorizationRequest = await readOrSendError(ctx, exchange, parameters)
      if (!authorizationRequest) return reply
      if (!request.viewer || forceLogin) return redirectToSignIn(reply, { parameters, forceLogin: Boolean(forceLogin) })
      if (request.viewer.accountState !== 'usable') return reply.redirect(paths.account, 303)
      if (isWebClient(authorizationRequest.app) && isRequestOfOwnScript(request))
        return approve(ctx, { ...exchange, authorizationRequest, parameters, viewer: request.viewer })
      return sendConsentPage(ctx, { ...exchange, authorizationRequest, parameters, viewer: request.viewer })
    },
  )

  api.post(
    '/oauth/authorize',
    { schema: { ...schemaBase, summary: 'Allow or deny an authorization request', body: ConsentBody } },
    async (request, reply) => {
      const { csrf: _, decision, ...parameters } = request.body
      const exchange = { request, reply }
      const authorizationRequest = await readOrSendError(ctx, exchange, parameters)
      if (!authorizationRequest) return reply
      if (!request.viewer) return redirectToSignIn(reply, { parameters, forceLogin: false })
      if (request.viewer.accountState !== 'usable') return reply.redirect(paths.account, 303)
      if (decision === 'deny') return deny(ctx, { ...exchange, authorizationRequest })
      return approve(ctx, { ...exchange, authorizationRequest, parameters, viewer: request.viewer })
    },
  )

  api.delete(
    '/oauth/authorize',
    { schema: { ...schemaBase, summary: 'Deny an authorization request', body: ConsentBody } },
    async (request, reply) => {
      const { csrf: _, decision: __, ...parameters } = request.body
      const authorizationRequest = await readOrSendError(ctx, { request, reply }, parameters)
      return authorizationRequest ? deny(ctx, { request, reply, authorizationRequest }) : reply
    },
  )

  api.get(
    OUT_OF_BAND_PATH,
    {
      schema: {
        ...schemaBase,
        summary: 'Show the authorization code',
        querystring: Type.Object({ code: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const { code = '' } = request.query
      // Accepts only what can be a code of this server, so that a link cannot put other text on the page.
      if (!/^[\w-]{43}$/.test(code)) throw new OAuthRequestError('invalid_request')
      return sendPage(ctx, { request, reply, page: (frame) => nativeCodePage(frame, { code }) })
    },
  )
}

/**
 * Whether a script of this server's own pages sent the request, so that no page needs to ask the user. A page of
 * another site, and a third-party client of this server, whose content security policy forbids such requests, can only
 * navigate.
 */
function isRequestOfOwnScript({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-dest'] === 'empty'
}

type RequestAndReply = { request: FastifyRequest; reply: FastifyReply }

/** Returns the validated request; null if it is invalid and an error page was sent. */
async function readOrSendError(
  ctx: Ctx,
  { request, reply }: RequestAndReply,
  parameters: AuthorizationParams,
): Promise<AuthorizationRequest | null> {
  try {
    return await readAuthorizationRequest(ctx, parameters)
  } catch (err) {
    if (!(err instanceof AuthorizationRequestError)) throw err
    sendErrorPage(ctx, { request, reply, error: err })
    return null
  }
}

/** Shows why a request of an app is not valid, with the details for its developers in English. */
function sendErrorPage(
  ctx: Ctx,
  { request, reply, error }: RequestAndReply & { error: AuthorizationRequestError },
): FastifyReply {
  const { problem, description: details } = error
  const locale = localeOf(ctx, request)
  const text =
    problem === 'request' ? message(locale, 'authorize.request', { details }) : message(locale, `authorize.${problem}`)
  return sendPlainPage(ctx, {
    request,
    reply: reply.code(error.status),
    flash: { kind: 'alert', text },
    // The status 401 concerns the app here, and not the user.
    page: (frame) => errorPage(frame, { status: error.status, textOf: 400 }),
  })
}

function redirectToSignIn(
  reply: FastifyReply,
  { parameters, forceLogin }: { parameters: AuthorizationParams; forceLogin: boolean },
): FastifyReply {
  const query = new URLSearchParams({ ...(forceLogin ? { force: '1' } : {}), next: authorizationPath(parameters) })
  return reply.redirect(`${paths.signIn}?${query.toString()}`, 303)
}

async function sendConsentPage(
  ctx: Ctx,
  {
    request,
    reply,
    authorizationRequest,
    parameters,
    viewer,
  }: RequestAndReply & { authorizationRequest: AuthorizationRequest; parameters: AuthorizationParams; viewer: Viewer },
): Promise<FastifyReply> {
  const account = await findPageAccount(ctx, { accountId: viewer.accountId })
  return sendPage(ctx, {
    request,
    reply,
    // Browsers apply the `form-action` of the page to redirects that follow the form submission, too.
    ...(isOutOfBand(authorizationRequest) ? {} : { formTarget: cspSourceOf(authorizationRequest.redirectUri) }),
    page: (frame) =>
      consentPage(frame, {
        app: authorizationRequest.app,
        redirectUri: authorizationRequest.redirectUri,
        scopes: authorizationRequest.scopes,
        account,
        parameters,
        returnTo: authorizationPath(parameters),
      }),
  })
}

/** Issues a code, unless the session has ended meanwhile: then the user has to log in. */
async function approve(
  ctx: Ctx,
  {
    request,
    reply,
    authorizationRequest,
    parameters,
    viewer: { userId },
  }: RequestAndReply & { authorizationRequest: AuthorizationRequest; parameters: AuthorizationParams; viewer: Viewer },
): Promise<FastifyReply> {
  const { app, redirectUri, scopes, codeChallenge } = authorizationRequest
  const sessionSecret = sessionSecretOf(ctx, request) ?? ''
  const code = await ctx.write(async (tx) => {
    const session = await lockSession(tx, { userId, sessionId: sessionSecret })
    if (session === null) return null
    const sessionId = isWebClient(app) ? session : null
    return issueCode(tx, { applicationId: app.id, userId, redirectUri, scopes, codeChallenge, sessionId })
  })
  if (code === null) return redirectToSignIn(reply, { parameters, forceLogin: false })
  if (isOutOfBand(authorizationRequest))
    return reply.redirect(`${OUT_OF_BAND_PATH}?${new URLSearchParams({ code }).toString()}`, 303)
  return sendAuthorizationResponse(ctx, {
    request,
    reply,
    authorizationRequest,
    decision: 'allow',
    responseParams: { code },
  })
}

async function deny(
  ctx: Ctx,
  { request, reply, authorizationRequest }: RequestAndReply & { authorizationRequest: AuthorizationRequest },
): Promise<FastifyReply> {
  const error = new OAuthRequestError('access_denied')
  const { app } = authorizationRequest
  if (isOutOfBand(authorizationRequest)) {
    const page = (frame: Frame) => consentDonePage(frame, { appName: app.name, decision: 'deny', postTo: null })
    return sendPage(ctx, { request, reply: reply.code(error.status), page })
  }
  const responseParams = { error: error.code, error_description: error.description }
  return sendAuthorizationResponse(ctx, {
    request,
    reply,
    authorizationRequest,
    decision: 'deny',
    responseParams,
  })
}

/**
 * Redirects to the application with the response (RFC 6749 §4.1.2), or sends the page whose form posts it there (OAuth
 * 2.0 Form Post Response Mode).
 */
async function sendAuthorizationResponse(
  ctx: Ctx,
  {
    request,
    reply,
    authorizationRequest,
    decision,
    responseParams,
  }: RequestAndReply & {
    authorizationRequest: AuthorizationRequest
    decision: 'allow' | 'deny'
    responseParams: Record<string, string>
  },
): Promise<FastifyReply> {
  const paramsWithState =
    authorizationRequest.state === null ? responseParams : { ...responseParams, state: authorizationRequest.state }
  const { app, responseMode, redirectUri } = authorizationRequest
  if (responseMode !== 'form_post')
    return reply.redirect(percentEncodeNonAscii(redirectUrl(authorizationRequest, paramsWithState)), 303)
  return sendPage(ctx, {
    request,
    reply,
    formTarget: cspSourceOf(redirectUri),
    page: (frame) =>
      consentDonePage(frame, {
        appName: app.name,
        decision,
        postTo: { address: redirectUri, fields: paramsWithState },
      }),
  })
}
