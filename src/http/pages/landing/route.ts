import { findOnlyPerson } from '../../../domain/accounts/only-person.ts'
import type { Ctx } from '../../../domain/context.ts'
import { readFeedAccess } from '../../../domain/feeds/access.ts'
import { readPublicTimeline } from '../../../domain/feeds/public.ts'
import { readSite } from '../../../domain/instance/site.ts'
import { readTrendingTags } from '../../../domain/trends/read.ts'
import type { Tag } from '../../../entities/tag.ts'
import { freshCounts } from '../../../render/instance.ts'
import { renderTags } from '../../../render/tags.ts'
import type { Api } from '../../api.ts'
import { findPageAccount, sendPublicPage } from '../../support/page.ts'
import { landingPage } from './template.ts'
import { paths } from '../paths.ts'
import type { Post } from '../post/template.ts'
import { openStatuses } from '../post/open-statuses.ts'
import { postOf } from '../post/post-of.ts'

const NEWEST = 20
const TRENDING = 5

/** The front page; where the server is for one person, it leads to theirs. */
export async function landing(api: Api, ctx: Ctx): Promise<void> {
  api.get(paths.landing, { schema: { hide: true } }, async (request, reply) => {
    const only = ctx.config.singleUserMode ? await findOnlyPerson(ctx) : null
    if (only !== null) return reply.redirect(`/@${only}`, 302)
    const [site, counts, newest, trending] = await Promise.all([
      readSite(ctx),
      freshCounts(ctx),
      readNewest(ctx),
      readTrending(ctx),
    ])
    const contact =
      site.contactAccountId === null ? null : await findPageAccount(ctx, { accountId: site.contactAccountId })
    const { origin } = ctx.config
    return sendPublicPage(ctx, {
      request,
      reply,
      page: (frame) =>
        landingPage(frame, {
          description: site.description,
          people: counts.users,
          posts: counts.statuses,
          active: counts.activeMonth,
          contact,
          trending,
          newest,
          url: `${origin}/`,
          preview: `${origin}/pages/preview.png`,
          now: ctx.now(),
        }),
    })
  })
}

/** What many use just now leads to what is said with it here, where that is for everybody. */
async function readTrending(ctx: Ctx): Promise<{ name: string; url: string }[]> {
  const { local } = await readFeedAccess(ctx, { subject: 'topic' })
  if (local !== 'public') return []
  const ids = await readTrendingTags(ctx, { part: { limit: TRENDING, offset: 0 } })
  const tags = await renderTags(ctx, { ids, viewerId: null, now: ctx.now() })
  return tags.map((json) => JSON.parse(json) as Tag)
}

/** Everybody sees the same front page, also somebody who is signed in. null: the posts are not for everybody. */
async function readNewest(ctx: Ctx): Promise<Post[] | null> {
  const access = await readFeedAccess(ctx, { subject: 'live' })
  if (access.local !== 'public') return null
  const ids = await readPublicTimeline(ctx, { viewerId: null, origin: 'local', page: { limit: NEWEST } })
  return (await openStatuses(ctx, { ids })).map((status) => postOf(ctx, status))
}
