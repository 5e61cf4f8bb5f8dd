import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { LocalAccount } from '../../../domain/accounts/find-local.ts'
import { readAccountStatuses } from '../../../domain/accounts/statuses.ts'
import type { Ctx } from '../../../domain/context.ts'
import { readPinned } from '../../../domain/statuses/pinned.ts'
import { readTagName } from '../../../domain/tags/name.ts'
import type { Account } from '../../../entities/account.ts'
import type { Status } from '../../../entities/status.ts'
import { NotFound } from '../../../lib/errors.ts'
import { renderAccount } from '../../../render/accounts.ts'
import { renderFeaturedTags } from '../../../render/featured-tags.ts'
import type { Api } from '../../api.ts'
import { sendPublicPage } from '../../support/page.ts'
import { profilePage } from './template.ts'
import type { ProfileTab } from './template.ts'
import { personAt } from './local-account.ts'
import { openStatuses } from '../post/open-statuses.ts'
import { postOf } from '../post/post-of.ts'
import { previewOfProfile, profileOf } from './profile-of.ts'
import { PostsQuery, walkPosts } from '../support/paginate-posts.ts'

const MAX_PINNED = 40

const ByName = Type.Object({ name: Type.String() })

type Asked = {
  request: FastifyRequest
  reply: FastifyReply
  person: LocalAccount
  tab: ProfileTab
  query: { max_id?: string; min_id?: string }
}

/** What people show of themselves to everybody. */
export async function profiles(api: Api, ctx: Ctx): Promise<void> {
  const schema = { hide: true, params: ByName, querystring: PostsQuery }

  api.get('/@:name', { schema, constraints: { answers: 'page' } }, async (request, reply) => {
    const person = await personAt(ctx, { request, reply, name: request.params.name })
    if (!person) return reply
    const uri = `${ctx.config.origin}/ap/users/${person.id}`
    reply.header('link', `<${uri}>; rel="alternate"; type="application/activity+json"`)
    return show(ctx, { request, reply, person, tab: 'posts', query: request.query })
  })

  for (const [path, tab] of [
    ['with_replies', 'replies'],
    ['media', 'media'],
  ] as const) {
    api.get(`/@:name/${path}`, { schema }, async (request, reply) => {
      const { name } = request.params
      const person = await personAt(ctx, { request, reply, name })
      return person ? show(ctx, { request, reply, person, tab, query: request.query }) : reply
    })
  }

  api.get(
    '/@:name/tagged/:tag',
    { schema: { ...schema, params: Type.Object({ name: Type.String(), tag: Type.String() }) } },
    async (request, reply) => {
      const { name, tag } = request.params
      if (readTagName(tag) === null) throw new NotFound()
      const person = await personAt(ctx, { request, reply, name })
      return person ? show(ctx, { request, reply, person, tab: { tagged: tag }, query: request.query }) : reply
    },
  )
}

async function show(ctx: Ctx, { request, reply, person, tab, query }: Asked): Promise<FastifyReply> {
  const { origin } = ctx.config
  const path = `/@${person.username}`
  const [rendered, walked, tags] = await Promise.all([
    renderAccount(ctx, { id: person.id }),
    walkPosts(query, {
      path: path + pathOf(tab),
      read: (page) => readAccountStatuses(ctx, { accountId: person.id, viewerId: null, page, ...choiceOf(tab) }),
    }),
    renderFeaturedTags(ctx, { accountId: person.id }),
  ])
  const account = JSON.parse(rendered) as Account
  const pins = tab === 'posts' && walked.isFirst ? await pinsOf(ctx, person) : []
  const statuses = await openStatuses(ctx, { ids: [...new Set([...pins, ...walked.ids])] })
  const [pinned, others] = [[] as Status[], [] as Status[]]
  for (const status of statuses) (pins.includes(status.id) ? pinned : others).push(status)
  const profile = profileOf(ctx, { account, tags: account.show_featured ? tags : [] })
  return sendPublicPage(ctx, {
    request,
    reply,
    noindex: account.noindex === true || profile.limited,
    page: (frame) => {
      const preview = previewOfProfile(frame.locale, { account, profile })
      return profilePage(frame, {
        profile,
        tab,
        pinned: pinned.map((status) => postOf(ctx, status)),
        posts: others.map((status) => postOf(ctx, status)),
        pages: walked.pages,
        path,
        feedUrl: `${path}.rss`,
        followUrl: `/authorize_interaction?uri=${encodeURIComponent(account.uri)}`,
        preview: {
          ...preview,
          url: `${origin}${path}${pathOf(tab)}`,
          alternates: [
            ...(tab === 'posts' ? [{ type: 'application/activity+json', href: account.uri }] : []),
            { type: 'application/rss+xml', href: `${origin}${path}.rss`, title: preview.title },
          ],
        },
        now: ctx.now(),
      })
    },
  })
}

function choiceOf(tab: ProfileTab) {
  if (typeof tab === 'object') return { tagged: tab.tagged }
  return { posts: { excludeReplies: true }, replies: {}, media: { onlyMedia: true, excludeReblogs: true } }[tab]
}

function pathOf(tab: ProfileTab): string {
  if (typeof tab === 'object') return `/tagged/${encodeURIComponent(tab.tagged)}`
  return { posts: '', replies: '/with_replies', media: '/media' }[tab]
}

async function pinsOf(ctx: Ctx, { id }: LocalAccount): Promise<string[]> {
  const rows = await readPinned(ctx, { accountId: id, viewerId: null, page: { limit: MAX_PINNED } })
  return rows.map((row) => row.id)
}
