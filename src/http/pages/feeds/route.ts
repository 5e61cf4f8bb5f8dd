import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { findLocalAccount } from '../../../domain/accounts/lookup/find-local-account.ts'
import type { AccountStatusesFilter } from '../../../domain/timelines/public/account-statuses-filter.ts'
import { listAccountStatuses } from '../../../domain/timelines/public/list-account-statuses.ts'
import type { Ctx } from '../../../domain/context.ts'
import { isTimelineShownTo, readTimelineAccess } from '../../../domain/timelines/public/timeline-access.ts'
import { readTagTimeline } from '../../../domain/timelines/public/read-tag-timeline.ts'
import { requireUsableTag } from '../../../domain/tags/require-usable-tag.ts'
import { parseTagName } from '../../../domain/tags/tag-name.ts'
import { parseEntity } from '../../../lib/json/json-content.ts'
import { ForbiddenError, NotFoundError } from '../../../lib/errors.ts'
import { renderAccount } from '../../../render/accounts/render-accounts.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { isNotModified, pageAccountOf } from '../../support/response/send-page.ts'
import { nameOf } from '../layout/page-account.ts'
import { pathOfTab } from '../profile/path-of-tab.ts'
import type { ProfileTab } from '../profile/template.ts'
import { rssFeed } from './rss.ts'
import type { FeedInput } from './rss.ts'
import { renderPublicStatuses } from '../post/render-public-statuses.ts'
import { postOf } from '../post/post-of.ts'
import { selectLocale } from '../../../lib/messages/locales.ts'
import { message } from '../../../lib/messages/message.ts'

const MAX_POSTS = 20

/** How many statuses are loaded for a feed: more than it shows, since unlisted ones are left out. */
const MAX_LOADED = 60

const ByName = Type.Object({ name: Type.String() })

/**
 * RSS feeds of the public posts of an account, also of each tab of its profile, and of a hashtag (Mastodon: GET
 * /@:username.rss, GET /@:username/with_replies.rss, GET /tags/:tag.rss and others).
 */
export async function feeds(api: TypedFastify, ctx: Ctx): Promise<void> {
  const { origin, version } = ctx.config
  // Feed readers fetch feeds for users whose language is unknown.
  const locale = selectLocale({ serverDefault: ctx.config.defaultLocale })
  const shared = { lang: locale, generator: `Linnet ${version}` }

  for (const tab of ['posts', 'replies', 'media'] as const) {
    api.get(`/@:name${pathOfTab(tab)}.rss`, { schema: { hide: true, params: ByName } }, async (request, reply) =>
      sendAccountFeed(request, reply, { name: request.params.name, tab }),
    )
  }

  // Mastodon has the feed at this path, too.
  api.get('/users/:name.rss', { schema: { hide: true, params: ByName } }, async ({ url, params }, reply) => {
    await ctx.read(findLocalAccount, { username: params.name, now: ctx.now() })
    return reply.redirect(url.replace('/users/', '/@'))
  })

  api.get(
    '/@:name/tagged/:tag.rss',
    { schema: { hide: true, params: Type.Object({ name: Type.String(), tag: Type.String() }) } },
    async (request, reply) => {
      const { name, tag } = request.params
      if (parseTagName(tag) === null) throw new NotFoundError()
      return sendAccountFeed(request, reply, { name, tab: { tagged: tag } })
    },
  )

  api.get(
    '/tags/:tag.rss',
    { schema: { hide: true, params: Type.Object({ tag: Type.String() }) } },
    async (request, reply) => {
      const name = parseTagName(request.params.tag)
      const { local } = await readTimelineAccess(ctx, { subject: 'topic' })
      if (name === null || !isTimelineShownTo(request.viewer, local)) throw new NotFoundError()
      await requireUsableTag(ctx, name)
      const page = { limit: MAX_POSTS }
      const ids = await readTagTimeline(ctx, { viewerId: null, page, name: name.name, origin: 'local' })
      const link = `${origin}/tags/${encodeURIComponent(name.name)}`
      reply.header('x-robots-tag', 'noindex')
      return sendFeed(request, reply, {
        ...shared,
        title: `#${name.displayName}`,
        description: message(locale, 'tag.describe', { tag: `#${name.displayName}` }),
        link,
        self: `${link}.rss`,
        image: null,
        posts: await readPosts(request, ids),
      })
    },
  )

  async function sendAccountFeed(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, tab }: { name: string; tab: ProfileTab },
  ): Promise<FastifyReply> {
    const { id, suspended, username } = await ctx.read(findLocalAccount, { username: name, now: ctx.now() })
    if (suspended) throw new ForbiddenError()
    const [account, ids] = await Promise.all([
      ctx.read(renderAccount, { id }).then((json) => parseEntity(json)),
      ctx.read(listAccountStatuses, { accountId: id, viewerId: null, page: { limit: MAX_LOADED }, ...filterOf(tab) }),
    ])
    const pageAccount = pageAccountOf(ctx, account)
    const title = nameOf(pageAccount)
    const link = `${origin}/@${username}${pathOfTab(tab)}`
    if (account.noindex === true || account.limited === true) reply.header('x-robots-tag', 'noindex')
    return sendFeed(request, reply, {
      ...shared,
      title,
      description: message(locale, 'profile.describe', { name: title, handle: `@${pageAccount.handle}` }),
      link,
      self: `${link}.rss`,
      image: pageAccount.avatar ?? null,
      posts: await readPosts(request, ids),
    })
  }

  /** Leaves out unlisted statuses: other sites copy and index feeds, so feeds contain only what may be discovered. */
  async function readPosts({ viewer }: FastifyRequest, ids: readonly string[]): Promise<FeedInput['posts']> {
    const shown = await renderPublicStatuses(ctx, { ids, viewer })
    const statuses = shown.filter(({ visibility }) => visibility === 'public')
    return statuses.slice(0, MAX_POSTS).map((status) => ({
      ...postOf(ctx, status),
      tags: status.tags.map(({ name }) => name),
    }))
  }
}

/** Feeds contain no boosts, and replies to others only if they are requested. */
function filterOf(tab: ProfileTab): AccountStatusesFilter {
  return {
    excludeReblogs: true,
    excludeReplies: tab !== 'replies',
    onlyMedia: tab === 'media',
    ...(typeof tab === 'object' && tab),
  }
}

function sendFeed(request: FastifyRequest, reply: FastifyReply, feed: FeedInput): FastifyReply {
  const body = rssFeed(feed)
  if (isNotModified({ request, reply, body })) return reply.code(304).send()
  return reply.type('application/rss+xml; charset=utf-8').send(body)
}
