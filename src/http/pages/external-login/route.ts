import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { findVerifiedAttempt, recordAnswer, takeAttempt } from '../../../domain/auth/external/login-attempts.ts'
import type { Ctx } from '../../../domain/context.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { safeReturnPath } from '../../../lib/http/safe-return-path.ts'
import { ExternalLoginError } from '../../../platform/single-sign-on/external-provider.ts'
import type { ExternalProvider } from '../../../platform/single-sign-on/external-provider.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'
import { requireUser } from '../settings/own-account.ts'
import { sendSignInPage } from '../sign-in/send-sign-in-page.ts'
import { Field, formOf } from '../support/form-body.ts'
import { requireRecentAuthentication } from '../support/require-recent-authentication.ts'
import { browserSecretOf } from './browser-secret.ts'
import { continueLogin } from './continue-login.ts'
import { sendExternalProblem, startExternalLogin } from './start-external-login.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }
type Parameters = Readonly<Record<string, string>>

const ProviderParams = Type.Object({ provider: Type.String() })

/** Logging in at an external provider, with Mastodon's paths. */
export async function externalLogin(api: TypedFastify, ctx: Ctx): Promise<void> {
  const start = `${paths.externalLogin}:provider`
  const callback = `${start}/callback`

  api.post(
    start,
    { schema: { hide: true, params: ProviderParams, body: formOf({ next: Field, link: Field }) } },
    async (request, reply) => {
      const provider = providerOf(ctx, request.params.provider)
      if (request.body.link !== undefined) return startLinking(ctx, { request, reply, provider })
      return startExternalLogin(ctx, { request, reply, provider, next: safeReturnPath(request.body.next) })
    },
  )

  // Programs that check links by HEAD requests must not use up the answer.
  api.get(
    callback,
    { exposeHeadRoute: false, schema: { hide: true, params: ProviderParams } },
    async (request, reply) => {
      const provider = providerOf(ctx, request.params.provider)
      const parameters = textsOf(request.query)
      const state = parameters['state'] ?? ''
      const browserSecret = browserSecretOf(ctx, request)
      if (browserSecret === null) return sendExpiredPage(ctx, { request, reply })
      const problem = await receiveAnswer(ctx, { request, reply, provider, parameters, state, browserSecret })
      return problem ?? sendOutcome(ctx, { request, reply, state, browserSecret })
    },
  )

  // A form of the provider, from another site, so the browser sends no cookies. The redirect brings them.
  api.post(callback, { schema: { hide: true, params: ProviderParams } }, async (request, reply) => {
    const provider = providerOf(ctx, request.params.provider)
    const parameters = textsOf(request.body)
    // The CAS server reports the end of a session there. Sessions here end on their own.
    if (parameters['logoutRequest'] !== undefined) return reply.send()
    if (provider.name === 'saml') return receiveSamlResponse(ctx, { request, reply, provider, parameters })
    const query = new URLSearchParams(parameters)
    return reply.redirect(`${paths.externalLogin}${provider.name}/callback?${query.toString()}`, 303)
  })

  api.get(`${paths.externalLogin}saml/metadata`, { schema: { hide: true } }, async (_request, reply) => {
    const metadata = await ctx.externalLogins.saml?.createMetadata()
    if (metadata === undefined) throw new NotFoundError()
    return reply.type('application/samlmetadata+xml; charset=utf-8').send(metadata)
  })

  api.get(
    `${start}/logout`,
    { exposeHeadRoute: false, schema: { hide: true, params: ProviderParams } },
    async (request, reply) => {
      const provider = providerOf(ctx, request.params.provider)
      try {
        const url = await provider.findSignOutUrl()
        return await reply.redirect(url ?? paths.landing, 303)
      } catch (err) {
        return sendExternalProblem(ctx, { request, reply, provider, err })
      }
    },
  )
}

/**
 * Receives a SAML response, which is too long for the URL of a redirect: verifies it at once, and redirects to finish the
 * log-in in the browser that began it. RelayState identifies the log-in.
 */
async function receiveSamlResponse(
  ctx: Ctx,
  { request, reply, provider, parameters }: Exchange & { provider: ExternalProvider; parameters: Parameters },
): Promise<FastifyReply> {
  const state = parameters['RelayState'] ?? ''
  const answer = { request, reply, provider, parameters, state, browserSecret: null }
  const problem = await receiveAnswer(ctx, answer)
  return (
    problem ?? reply.redirect(`${paths.externalLogin}saml/callback?${new URLSearchParams({ state }).toString()}`, 303)
  )
}

function providerOf(ctx: Ctx, name: string): ExternalProvider {
  const provider = ctx.externalLogins.providers.find((one) => one.name === name)
  if (!provider) throw new NotFoundError()
  return provider
}

/** Redirects a user who is logged in to a provider, to add it to their account. All linking begins here. */
async function startLinking(
  ctx: Ctx,
  { request, reply, provider }: Exchange & { provider: ExternalProvider },
): Promise<FastifyReply> {
  const user = requireUser(request, { reply, page: paths.externalLogins })
  if (!user || !(await requireRecentAuthentication(ctx, { request, reply, next: paths.externalLogins }))) return reply
  const linkingUserId = user.userId
  return startExternalLogin(ctx, { request, reply, provider, next: paths.externalLogins, linkingUserId })
}

/**
 * Verifies the answer of a provider and stores the identity. Returns null, or the reply if it failed. An attempt that
 * was answered before is not an error here: the answer may have come by a form.
 */
async function receiveAnswer(
  ctx: Ctx,
  {
    request,
    reply,
    provider,
    parameters,
    state,
    browserSecret,
  }: Exchange & { provider: ExternalProvider; parameters: Parameters; state: string; browserSecret: string | null },
): Promise<FastifyReply | null> {
  const attempt = await takeAttempt(ctx, { state, browserSecret, provider: provider.name })
  if (!attempt) return null
  try {
    const { identity, assertion } = await provider.finish({ parameters, state, secrets: attempt.secrets })
    const outcome = await recordAnswer(ctx, { state, provider: provider.name, identity, assertion })
    if (outcome === 'replayed') throw new ExternalLoginError('refused', 'the assertion was used before')
    return null
  } catch (err) {
    const { next, linkingUserId } = attempt
    return sendExternalProblem(ctx, { request, reply, provider, err, next, linkingUserId })
  }
}

/** Responds to a browser whose user the provider has identified. */
async function sendOutcome(
  ctx: Ctx,
  { request, reply, state, browserSecret }: Exchange & { state: string; browserSecret: string },
): Promise<FastifyReply> {
  const attempt = await findVerifiedAttempt(ctx, { state, browserSecret })
  return attempt ? continueLogin(ctx, { request, reply, attempt }) : sendExpiredPage(ctx, { request, reply })
}

async function sendExpiredPage(ctx: Ctx, { request, reply }: Exchange): Promise<FastifyReply> {
  return sendSignInPage(ctx, { request, reply: reply.code(422), problem: 'external-expired' })
}

/** Returns the parameters that occur once and are texts. */
function textsOf(parameters: unknown): Parameters {
  const entries = Object.entries((parameters ?? {}) as Record<string, unknown>)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
