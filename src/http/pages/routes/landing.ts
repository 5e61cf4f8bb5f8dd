import type { Ctx } from '../../../domain/context.ts'
import { readPublicTimeline } from '../../../domain/feeds/public.ts'
import { countSite, readSite } from '../../../domain/instance/site.ts'
import type { Status } from '../../../entities/status.ts'
import { renderStatuses } from '../../../render/statuses.ts'
import type { Api } from '../../api.ts'
import { findPerson, sendPage } from '../../support/page.ts'
import { landingPage } from '../landing.ts'
import { paths } from '../paths.ts'
import { postOf } from './post-of.ts'

const NEWEST = 20

/** The front page. */
export async function landing(api: Api, ctx: Ctx): Promise<void> {
  api.get(paths.landing, { schema: { hide: true } }, async (request, reply) => {
    const [site, counts, ids] = await Promise.all([
      readSite(ctx),
      countSite(ctx),
      // Everybody sees the same front page, also somebody who is signed in.
      readPublicTimeline(ctx, { viewerId: null, origin: 'local', page: { limit: NEWEST } }),
    ])
    const [contact, statuses] = await Promise.all([
      site.contactAccountId === null ? null : findPerson(ctx, { accountId: site.contactAccountId }),
      renderStatuses(ctx, { ids, viewerId: null }),
    ])
    const newest = statuses.map((status) => postOf(ctx, JSON.parse(status) as Status))
    return sendPage(ctx, {
      request,
      reply,
      formless: true,
      page: (frame) =>
        landingPage(frame, {
          description: site.description,
          people: counts.users,
          posts: counts.statuses,
          active: counts.activeMonth,
          contact,
          newest,
          now: ctx.now(),
        }),
    })
  })
}
