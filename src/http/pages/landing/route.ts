import { findSingleUser } from '../../../domain/accounts/lookup/find-single-user.ts'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import { isTimelineShownTo, readTimelineAccess } from '../../../domain/timelines/public/timeline-access.ts'
import { readPublicTimeline } from '../../../domain/timelines/public/read-public-timeline.ts'
import { readInstanceInformation } from '../../../domain/instance/instance-information.ts'
import { findThumbnail } from '../../../domain/instance/thumbnail.ts'
import { listTrendingTags } from '../../../domain/trends/read-trends.ts'
import { instanceThumbnail } from '../../../render/instance/instance-images.ts'
import { shownCounts } from '../../../render/instance/render-instance.ts'
import { renderTags } from '../../../render/tags/render-tags.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { findPageAccount, sendPublicPage } from '../../support/response/send-page.ts'
import { landingPage } from './template.ts'
import { paths } from '../paths.ts'
import type { Post } from '../post/template.ts'
import { renderPublicStatuses } from '../post/render-public-statuses.ts'
import { postOf } from '../post/post-of.ts'

const MAX_NEWEST_POSTS = 20
const MAX_TRENDING_TAGS = 5

/** The front page. In single-user mode it redirects to the profile of the user. */
export async function landing(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.landing, { schema: { hide: true } }, async (request, reply) => {
    const singleUser = ctx.config.singleUserMode ? await findSingleUser(ctx) : null
    if (singleUser !== null) return reply.redirect(`/@${singleUser}`, 302)
    const [site, counts, newest, trending, thumbnail] = await Promise.all([
      readInstanceInformation(ctx),
      shownCounts(ctx),
      readNewest(ctx, request.viewer),
      readTrending(ctx, request.viewer),
      findThumbnail(ctx),
    ])
    const contact =
      site.contactAccountId === null ? null : await findPageAccount(ctx, { accountId: site.contactAccountId })
    const { origin } = ctx.config
    const picture = instanceThumbnail(ctx.config, thumbnail)
    return sendPublicPage(ctx, {
      request,
      reply,
      page: (frame) =>
        landingPage(frame, {
          description: site.description,
          counts,
          contact,
          picture: thumbnail && picture,
          trending,
          newest,
          url: `${origin}/`,
          preview: picture,
          now: ctx.now(),
        }),
    })
  })
}

/** Returns trending hashtags with the URLs of their pages; none if the pages are not for the reader. */
async function readTrending(ctx: Ctx, viewer: Viewer | null): Promise<{ name: string; url: string }[]> {
  const { local } = await readTimelineAccess(ctx, { subject: 'topic' })
  if (!isTimelineShownTo(viewer, local)) return []
  const ids = await listTrendingTags(ctx, { page: { limit: MAX_TRENDING_TAGS, offset: 0 } })
  return renderTags(ctx, { ids, viewerId: null, now: ctx.now() })
}

/**
 * Returns the newest local posts, as anonymous viewers see them: users who are logged in see the same front page. Null
 * if the local timeline is not for the reader.
 */
async function readNewest(ctx: Ctx, viewer: Viewer | null): Promise<Post[] | null> {
  const { local } = await readTimelineAccess(ctx, { subject: 'live' })
  if (!isTimelineShownTo(viewer, local)) return null
  const ids = await readPublicTimeline(ctx, { viewerId: null, origin: 'local', page: { limit: MAX_NEWEST_POSTS } })
  return (await renderPublicStatuses(ctx, { ids, viewer })).map((status) => postOf(ctx, status))
}
