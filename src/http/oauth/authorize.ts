import { Type } from 'typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { issueCode } from '../../domain/auth/codes.ts'
import { OAuthRefusal } from '../../domain/auth/oauth-refusal.ts'
import type { Viewer } from '../../domain/auth/viewer.ts'
import type { Ctx } from '../../domain/context.ts'
import type { Api } from '../api.ts'
import { consentDonePage } from '../pages/consent/done-template.ts'
import { consentPage } from '../pages/consent/template.ts'
import { errorPage } from '../pages/error/template.ts'
import { nativeCodePage } from '../pages/consent/code-template.ts'
import { paths } from '../pages/paths.ts'
import { findPageAccount, sendPage, sendPlainPage } from '../support/page.ts'
import { answerUrl, AUTHORIZATION, authorizationPath, isOutOfBand, readAuthorization } from './authorization.ts'
import type { Authorization, AuthorizationParameters } from './authorization.ts'

const NATIVE_PATH = '/oauth/authorize/native'

const about = { tags: ['oauth'] }
const Consent = Type.Object({
  ...AUTHORIZATION,
  csrf: Type.Optional(Type.String()),
  decision: Type.Optional(Type.String()),
})

/** Where a person tells whether an application may use their account. Consent is asked for each time. */
export async function authorize(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '/oauth/authorize',
    {
      schema: {
        ...about,
        summary: 'Ask a person for a code',
        querystring: Type.Object({ ...AUTHORIZATION, force_login: Type.Optional(Type.Boolean()) }),
      },
    },
    async (request, reply) => {
      const { force_login: forceLogin, ...parameters } = request.query
      const exchange = { request, reply }
      const asked = await readOrTell(ctx, exchange, parameters)
      if (!asked) return reply
      if (!request.viewer || forceLogin) return toLogIn(reply, { parameters, forced: Boolean(forceLogin) })
      if (request.viewer.standing !== 'usable') return reply.redirect(paths.account, 303)
      return askConsent(ctx, { ...exchange, asked, parameters, viewer: request.viewer })
    },
  )

  api.post(
    '/oauth/authorize',
    { schema: { ...about, summary: 'Answer an application', body: Consent } },
    async (request, reply) => {
      const { csrf: _, decision, ...parameters } = request.body
      const exchange = { request, reply }
      const asked = await readOrTell(ctx, exchange, parameters)
      if (!asked) return reply
      if (!request.viewer) return toLogIn(reply, { parameters, forced: false })
      if (request.viewer.standing !== 'usable') return reply.redirect(paths.account, 303)
      if (decision === 'deny') return deny(ctx, { ...exchange, asked })
      return allow(ctx, { ...exchange, asked, viewer: request.viewer })
    },
  )

  api.delete(
    '/oauth/authorize',
    { schema: { ...about, summary: 'Refuse an application', body: Consent } },
    async (request, reply) => {
      const { csrf: _, decision: __, ...parameters } = request.body
      const asked = await readOrTell(ctx, { request, reply }, parameters)
      return asked ? deny(ctx, { request, reply, asked }) : reply
    },
  )

  api.get(
    NATIVE_PATH,
    {
      schema: {
        ...about,
        summary: 'Show a code to copy',
        querystring: Type.Object({ code: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const { code = '' } = request.query
      // Only what one of our codes can look like: nobody gets to put words of their own on our page.
      if (!/^[\w-]{43}$/.test(code)) throw new OAuthRefusal('invalid_request')
      return sendPage(ctx, { request, reply, page: (frame) => nativeCodePage(frame, { code }) })
    },
  )
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/** The checked request; or null, after a page was sent that says what is wrong with it. */
async function readOrTell(
  ctx: Ctx,
  { request, reply }: Exchange,
  parameters: AuthorizationParameters,
): Promise<Authorization | null> {
  try {
    return await readAuthorization(ctx, parameters)
  } catch (err) {
    if (!(err instanceof OAuthRefusal)) throw err
    tell(ctx, { request, reply, refusal: err })
    return null
  }
}

function tell(ctx: Ctx, { request, reply, refusal }: Exchange & { refusal: OAuthRefusal }): FastifyReply {
  return sendPlainPage(ctx, {
    request,
    reply: reply.code(refusal.status),
    flash: { kind: 'alert', text: refusal.description },
    page: (frame) => errorPage(frame, { status: refusal.status }),
  })
}

function toLogIn(
  reply: FastifyReply,
  { parameters, forced }: { parameters: AuthorizationParameters; forced: boolean },
): FastifyReply {
  const query = new URLSearchParams({ ...(forced ? { force: '1' } : {}), next: authorizationPath(parameters) })
  return reply.redirect(`${paths.signIn}?${query.toString()}`, 303)
}

async function askConsent(
  ctx: Ctx,
  {
    request,
    reply,
    asked,
    parameters,
    viewer,
  }: Exchange & { asked: Authorization; parameters: AuthorizationParameters; viewer: Viewer },
): Promise<FastifyReply> {
  const account = await findPageAccount(ctx, { accountId: viewer.accountId })
  return sendPage(ctx, {
    request,
    reply,
    // Browsers apply the policy of the page to redirects after its form was sent, too.
    ...(isOutOfBand(asked) ? {} : { formTarget: policySource(asked.redirectUri) }),
    page: (frame) =>
      consentPage(frame, {
        app: asked.app,
        redirectUri: asked.redirectUri,
        scopes: asked.scopes,
        account,
        parameters,
        returnTo: authorizationPath(parameters),
      }),
  })
}

async function allow(
  ctx: Ctx,
  { request, reply, asked, viewer }: Exchange & { asked: Authorization; viewer: Viewer },
): Promise<FastifyReply> {
  const { app, redirectUri, scopes, codeChallenge } = asked
  const code = await ctx.write((tx) =>
    issueCode(tx, { applicationId: app.id, userId: viewer.userId, redirectUri, scopes, codeChallenge }),
  )
  if (isOutOfBand(asked)) return reply.redirect(`${NATIVE_PATH}?${new URLSearchParams({ code }).toString()}`, 303)
  return goOn(ctx, { request, reply, asked, decision: 'allow', answer: { code } })
}

async function deny(ctx: Ctx, { request, reply, asked }: Exchange & { asked: Authorization }): Promise<FastifyReply> {
  const refusal = new OAuthRefusal('access_denied')
  if (isOutOfBand(asked)) return tell(ctx, { request, reply, refusal })
  const answer = { error: refusal.code, error_description: refusal.description }
  return goOn(ctx, { request, reply, asked, decision: 'deny', answer })
}

/**
 * Redirects to the application with the answer (RFC 6749 §4.1.2), or sends the page whose form posts it there (OAuth 2.0
 * Form Post Response Mode).
 */
async function goOn(
  ctx: Ctx,
  {
    request,
    reply,
    asked,
    decision,
    answer,
  }: Exchange & { asked: Authorization; decision: 'allow' | 'deny'; answer: Record<string, string> },
): Promise<FastifyReply> {
  const full = asked.state === null ? answer : { ...answer, state: asked.state }
  const { app, mode, redirectUri } = asked
  if (mode !== 'form_post') return reply.redirect(asciiOf(answerUrl(asked, full)), 303)
  return sendPage(ctx, {
    request,
    reply,
    formTarget: policySource(redirectUri),
    page: (frame) => consentDonePage(frame, { appName: app.name, decision, postTo: redirectUri, answer: full }),
  })
}

/** A header holds ASCII only; browsers read percent-encoded UTF-8 in every part of an address. */
function asciiOf(address: string): string {
  return address.toWellFormed().replace(/[^\x21-\x7e]+/gu, encodeURIComponent)
}

/** An address as a source of a content security policy: its origin, or its scheme where it has none. */
function policySource(address: string): string {
  const origin = URL.parse(address)?.origin ?? ''
  // A host may hold signs that would end the policy's directive.
  if (/^https?:\/\/[\w.:[\]-]+$/.test(origin)) return origin
  return address.slice(0, address.indexOf(':') + 1)
}
