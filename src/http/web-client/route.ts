import type { FastifyReply, FastifyRequest } from 'fastify'
import { findCampaignYear } from '../../domain/annual-reports/annual-report-campaign.ts'
import type { Ctx } from '../../domain/context.ts'
import { WEB_CLIENT_CALLBACK } from '../../domain/auth/web-client.ts'
import { readInstanceInformation } from '../../domain/instance/instance-information.ts'
import { findTermsReview } from '../../domain/instance/terms-reviews.ts'
import { renderPreferences } from '../../render/accounts/render-preferences.ts'
import { displayDomain } from '../../lib/usernames.ts'
import { routePolicyOf } from '../support/auth/authorize-routes.ts'
import { csrfToken } from '../support/auth/session.ts'
import { termsReviewPage } from '../pages/about/terms-review-template.ts'
import { themeOf } from '../pages/layout/theme.ts'
import { localeOf, sendPage } from '../support/response/send-page.ts'
import type { TypedFastify } from '../typed-fastify.ts'
import { CLIENT_PATHS } from './client-paths.ts'
import { contentSecurityPolicyOfClient } from './content-security-policy.ts'
import { webClientDocument } from './document.ts'
import { readBuild } from './read-build.ts'

/** The pages of the web client, and the path to which it is redirected with an authorization code. */
export async function webClientPages(api: TypedFastify, ctx: Ctx): Promise<void> {
  for (const path of CLIENT_PATHS) {
    api.get(path, { schema: { hide: true } }, async (request, reply) => sendWebClient(ctx, { request, reply }))
  }

  // The script that sent the authorization request reads the code from the URL of this response.
  api.get(WEB_CLIENT_CALLBACK, { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(''),
  )
}

/** Makes the pages that others get from the server open the web client for users who are logged in. */
export function openWebClientOnPages(api: TypedFastify, ctx: Ctx): void {
  api.addHook('preHandler', async (request, reply) => {
    if (routePolicyOf(request)?.webClient === 'users' && request.viewer?.accountState === 'usable')
      return sendWebClient(ctx, { request, reply })
  })
}

async function sendWebClient(
  ctx: Ctx,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { accountId, userId } = request.viewer!
  const review = await findTermsReview(ctx, { userId, now: ctx.now() })
  if (review) return sendPage(ctx, { request, reply, page: (frame) => termsReviewPage(frame, review) })
  const [{ title }, preferences, annualReportYear] = await Promise.all([
    readInstanceInformation(ctx),
    renderPreferences(ctx, { accountId }),
    findCampaignYear(ctx, { now: ctx.now() }),
  ])
  const document = webClientDocument(readBuild(), {
    theme: themeOf(request.cookies),
    startData: {
      accountId,
      domain: displayDomain(ctx.config.localDomain),
      siteTitle: title,
      version: ctx.config.version,
      streamingUrl: ctx.config.streamingUrl,
      locale: localeOf(ctx, request),
      csrf: csrfToken(ctx, request, reply),
      reading: {
        'reading:expand:media': preferences['reading:expand:media'],
        'reading:expand:spoilers': preferences['reading:expand:spoilers'],
      },
      hasTranslation: ctx.config.translation !== null,
      annualReportYear,
    },
  })
  return reply
    .header('content-security-policy', contentSecurityPolicyOfClient(ctx.config))
    .type('text/html; charset=utf-8')
    .send(document)
}
