import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { findLocalAccount } from '../../../domain/accounts/find-local.ts'
import { readAccountStatuses } from '../../../domain/accounts/statuses.ts'
import type { Ctx } from '../../../domain/context.ts'
import { readFeedAccess } from '../../../domain/feeds/access.ts'
import { readTagTimeline } from '../../../domain/feeds/tag.ts'
import { readTagName } from '../../../domain/tags/name.ts'
import type { Account } from '../../../entities/account.ts'
import { Forbidden, NotFound } from '../../../lib/errors.ts'
import { renderAccount } from '../../../render/accounts.ts'
import type { Api } from '../../api.ts'
import { isUnchanged, pageAccountOf } from '../../support/page.ts'
import { nameOf } from '../layout/page-account.ts'
import { rssFeed } from './rss.ts'
import type { FeedInput } from './rss.ts'
import { openStatuses } from '../post/open-statuses.ts'
import { postOf } from '../post/post-of.ts'
import { selectLocale } from '../../../lib/messages/locales.ts'
import { message } from '../../../lib/messages/message.ts'

const NEWEST = 20

/** Of what a list shows, some may be unlisted and so in no feed: so many are looked at. */
const LOOKED_AT = 60

/** What people post in public, for readers of feeds. */
export async function feeds(api: Api, ctx: Ctx): Promise<void> {
  const { origin, version } = ctx.config
  // Programs fetch feeds for readers whose language is unknown.
  const locale = selectLocale({ serverDefault: ctx.config.defaultLocale })
  const shared = { lang: locale, generator: `Linnet ${version}` }

  api.get(
    '/@:name.rss',
    { schema: { hide: true, params: Type.Object({ name: Type.String() }) } },
    async (request, reply) => {
      const { id, suspended, username } = await findLocalAccount(ctx, { username: request.params.name })
      if (suspended) throw new Forbidden()
      const [account, ids] = await Promise.all([
        renderAccount(ctx, { id }).then((json) => JSON.parse(json) as Account),
        readAccountStatuses(ctx, {
          accountId: id,
          viewerId: null,
          page: { limit: LOOKED_AT },
          excludeReplies: true,
          excludeReblogs: true,
        }),
      ])
      const person = pageAccountOf(ctx, account)
      const name = nameOf(person)
      if (account.noindex === true || account.limited === true) reply.header('x-robots-tag', 'noindex')
      return send(request, reply, {
        ...shared,
        title: name,
        description: message(locale, 'profile.describe', { name, handle: `@${person.handle}` }),
        link: `${origin}/@${username}`,
        self: `${origin}/@${username}.rss`,
        image: person.avatar ?? null,
        posts: await readPublic(ids),
      })
    },
  )

  api.get(
    '/tags/:tag.rss',
    { schema: { hide: true, params: Type.Object({ tag: Type.String() }) } },
    async (request, reply) => {
      const name = readTagName(request.params.tag)
      const access = await readFeedAccess(ctx, { subject: 'topic' })
      if (name === null || access.local !== 'public') throw new NotFound()
      const page = { limit: NEWEST }
      const ids = await readTagTimeline(ctx, { viewerId: null, page, name: name.name, origin: 'local' })
      const link = `${origin}/tags/${encodeURIComponent(name.name)}`
      reply.header('x-robots-tag', 'noindex')
      return send(request, reply, {
        ...shared,
        title: `#${name.display}`,
        description: message(locale, 'tag.describe', { tag: `#${name.display}` }),
        link,
        self: `${link}.rss`,
        image: null,
        posts: await readPublic(ids),
      })
    },
  )

  /** Feeds are copied and searched far away, so they hold only what is meant to be found. */
  async function readPublic(ids: readonly string[]): Promise<FeedInput['posts']> {
    const statuses = (await openStatuses(ctx, { ids })).filter(({ visibility }) => visibility === 'public')
    return statuses.slice(0, NEWEST).map((status) => ({
      ...postOf(ctx, status),
      tags: status.tags.map(({ name }) => name),
    }))
  }
}

function send(request: FastifyRequest, reply: FastifyReply, feed: FeedInput): FastifyReply {
  const body = rssFeed(feed)
  if (isUnchanged({ request, reply, body })) return reply.code(304).send()
  return reply.type('application/rss+xml; charset=utf-8').send(body)
}
