import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { readFeedAccess } from '../../../domain/feeds/access.ts'
import { readTagTimeline } from '../../../domain/feeds/tag.ts'
import { readTagName } from '../../../domain/tags/name.ts'
import { NotFound } from '../../../lib/errors.ts'
import type { Api } from '../../api.ts'
import { sendPublicPage } from '../../support/page.ts'
import { tagPage } from './template.ts'
import { openStatuses } from '../post/open-statuses.ts'
import { postOf } from '../post/post-of.ts'
import { PostsQuery, walkPosts } from '../support/paginate-posts.ts'
import { message } from '../../../lib/messages/message.ts'

/** What is posted here with a hashtag. */
export async function tags(api: Api, ctx: Ctx): Promise<void> {
  const schema = { hide: true, params: Type.Object({ tag: Type.String() }), querystring: PostsQuery }

  api.get('/tags/:tag', { schema, constraints: { answers: 'page' } }, async (request, reply) => {
    const name = readTagName(request.params.tag)
    if (name === null) throw new NotFound()
    const { origin } = ctx.config
    const path = `/tags/${encodeURIComponent(name.name)}`
    const access = await readFeedAccess(ctx, { subject: 'topic' })
    const { ids, pages } = await walkPosts(request.query, {
      path,
      read: async (page) =>
        access.local === 'public'
          ? readTagTimeline(ctx, { viewerId: null, page, name: name.name, origin: 'local' })
          : [],
    })
    const statuses = await openStatuses(ctx, { ids })
    return sendPublicPage(ctx, {
      request,
      reply,
      noindex: true,
      page: (frame) => {
        const title = `#${name.display}`
        return tagPage(frame, {
          name: name.display,
          posts: access.local === 'public' ? statuses.map((status) => postOf(ctx, status)) : null,
          pages,
          feedUrl: `${path}.rss`,
          preview: {
            type: 'website',
            title,
            description: message(frame.locale, 'tag.describe', { tag: title }),
            url: `${origin}${path}`,
            alternates: [
              { type: 'application/activity+json', href: `${origin}${path}` },
              { type: 'application/rss+xml', href: `${origin}${path}.rss`, title },
            ],
            noindex: true,
          },
          now: ctx.now(),
        })
      },
    })
  })
}
