import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { isTimelineShownTo, readTimelineAccess } from '../../../domain/timelines/public/timeline-access.ts'
import { readTagTimeline } from '../../../domain/timelines/public/read-tag-timeline.ts'
import { requireUsableTag } from '../../../domain/tags/require-usable-tag.ts'
import { parseTagName } from '../../../domain/tags/tag-name.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { sendPublicPage } from '../../support/response/send-page.ts'
import { tagPage } from './template.ts'
import { renderPublicStatuses } from '../post/render-public-statuses.ts'
import { postOf } from '../post/post-of.ts'
import { PostsQuery, paginatePosts } from '../support/paginate-posts.ts'
import { message } from '../../../lib/messages/message.ts'

/** The page of a hashtag with its local public posts. */
export async function tags(api: TypedFastify, ctx: Ctx): Promise<void> {
  const schema = { hide: true, params: Type.Object({ tag: Type.String() }), querystring: PostsQuery }

  api.get('/tags/:tag', { schema, constraints: { answers: 'page' } }, async (request, reply) => {
    const name = parseTagName(request.params.tag)
    if (name === null) throw new NotFoundError()
    await requireUsableTag(ctx, name)
    const { origin } = ctx.config
    const path = `/tags/${encodeURIComponent(name.name)}`
    const { local } = await readTimelineAccess(ctx, { subject: 'topic' })
    const isShown = isTimelineShownTo(request.viewer, local)
    const { ids, pages } = await paginatePosts(request.query, {
      path,
      read: async (page) =>
        isShown ? readTagTimeline(ctx, { viewerId: null, page, name: name.name, origin: 'local' }) : [],
    })
    const statuses = await renderPublicStatuses(ctx, { ids, viewer: request.viewer })
    return sendPublicPage(ctx, {
      request,
      reply,
      noindex: true,
      page: (frame) => {
        const title = `#${name.displayName}`
        return tagPage(frame, {
          name: name.displayName,
          posts: isShown ? statuses.map((status) => postOf(ctx, status)) : null,
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
