import type { Ctx } from '../../../domain/context.ts'
import { listTerms } from '../../../domain/instance/terms-of-service.ts'
import { IdParams } from '../../support/request/path-params.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'
import { CHECK_MAIL_PATH } from '../sign-up/route.ts'
import { strikePath } from '../strikes/template.ts'

/** Pages of Mastodon that have another path here, by their path there. */
const MOVED_PAGES: Record<string, string> = {
  '/about/more': paths.about,
  '/auth/confirmation/new': CHECK_MAIL_PATH,
  '/disputes/strikes': paths.strikes,
  '/settings/profile': '/settings/client/profile',
  '/settings/privacy': '/settings/client/privacy',
  '/settings/preferences/appearance': paths.preferences,
  '/settings/preferences/other': paths.preferences,
  '/settings/preferences/notifications': paths.emailNotifications,
  '/statuses_cleanup': paths.statusesCleanup,
}

/** Redirects from paths of Mastodon's pages, which apps open without asking the server for them. */
export async function mastodonPaths(api: TypedFastify, ctx: Ctx): Promise<void> {
  for (const [path, target] of Object.entries(MOVED_PAGES)) {
    api.get(path, { schema: { hide: true } }, async (_request, reply) => reply.redirect(target))
  }

  api.get('/disputes/strikes/:id', { schema: { hide: true, params: IdParams } }, async (request, reply) =>
    reply.redirect(strikePath(request.params.id)),
  )

  // Older templates of links for remote follows.
  api.get('/authorize_follow', { schema: { hide: true } }, async ({ url }, reply) =>
    reply.redirect(url.replace(/^[^?]*/, paths.interaction)),
  )

  // Apps call it the terms of service or the privacy policy.
  api.get('/terms', { schema: { hide: true } }, async (_request, reply) => {
    const terms = await listTerms(ctx, { now: ctx.now() })
    return reply.redirect(terms.some(({ effective }) => effective) ? paths.terms : paths.privacy)
  })
}
