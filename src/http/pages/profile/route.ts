import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { LocalAccount } from '../../../domain/accounts/lookup/find-local-account.ts'
import { listAccountStatuses } from '../../../domain/timelines/public/list-account-statuses.ts'
import type { Ctx } from '../../../domain/context.ts'
import { listPinnedStatuses } from '../../../domain/statuses/read/list-pinned-statuses.ts'
import { parseTagName } from '../../../domain/tags/tag-name.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { parseEntity } from '../../../lib/json/json-content.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { renderAccount } from '../../../render/accounts/render-accounts.ts'
import { renderFeaturedTags } from '../../../render/tags/render-featured-tags.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { sendPublicPage } from '../../support/response/send-page.ts'
import { profilePage } from './template.ts'
import type { ProfileTab } from './template.ts'
import { findAccountOrReply } from './local-account.ts'
import { pathOfTab } from './path-of-tab.ts'
import { renderPublicStatuses } from '../post/render-public-statuses.ts'
import { postOf } from '../post/post-of.ts'
import { previewOfProfile, profileOf } from './profile-of.ts'
import { PostsQuery, paginatePosts } from '../support/paginate-posts.ts'

const MAX_PINNED = 40

const ByName = Type.Object({ name: Type.String() })

type ProfileRequest = {
  request: FastifyRequest
  reply: FastifyReply
  localAccount: LocalAccount
  tab: ProfileTab
  query: { max_id?: string; min_id?: string }
}

/** Profile pages of local accounts, with tabs for posts, replies, media and posts with a hashtag. */
export async function profiles(api: TypedFastify, ctx: Ctx): Promise<void> {
  const schema = { hide: true, params: ByName, querystring: PostsQuery }

  api.get('/@:name', { schema, constraints: { answers: 'page' } }, async (request, reply) => {
    const localAccount = await findAccountOrReply(ctx, { request, reply, name: request.params.name })
    return localAccount ? sendProfile(ctx, { request, reply, localAccount, tab: 'posts', query: request.query }) : reply
  })

  for (const [path, tab] of [
    ['with_replies', 'replies'],
    ['media', 'media'],
  ] as const) {
    api.get(`/@:name/${path}`, { schema }, async (request, reply) => {
      const { name } = request.params
      const localAccount = await findAccountOrReply(ctx, { request, reply, name })
      return localAccount ? sendProfile(ctx, { request, reply, localAccount, tab, query: request.query }) : reply
    })
  }

  api.get(
    '/@:name/tagged/:tag',
    { schema: { ...schema, params: Type.Object({ name: Type.String(), tag: Type.String() }) } },
    async (request, reply) => {
      const { name, tag } = request.params
      if (parseTagName(tag) === null) throw new NotFoundError()
      const localAccount = await findAccountOrReply(ctx, { request, reply, name })
      return localAccount
        ? sendProfile(ctx, { request, reply, localAccount, tab: { tagged: tag }, query: request.query })
        : reply
    },
  )
}

async function sendProfile(
  ctx: Ctx,
  { request, reply, localAccount, tab, query }: ProfileRequest,
): Promise<FastifyReply> {
  const { origin } = ctx.config
  const path = `/@${localAccount.username}`
  const tabPath = path + pathOfTab(tab)
  const [json, postsPage, tags] = await Promise.all([
    ctx.read(renderAccount, { id: localAccount.id }),
    paginatePosts(query, {
      path: tabPath,
      read: (page) =>
        ctx.read(listAccountStatuses, { accountId: localAccount.id, viewerId: null, page, ...filterOf(tab) }),
    }),
    renderFeaturedTags(ctx, { accountId: localAccount.id }),
  ])
  const account = parseEntity(json)
  const pinnedIds = tab === 'posts' && postsPage.isFirst ? await listPinnedIds(ctx, localAccount) : []
  const statuses = await renderPublicStatuses(ctx, {
    ids: [...new Set([...pinnedIds, ...postsPage.ids])],
    viewer: request.viewer,
  })
  const [pinned, others] = [[] as Status[], [] as Status[]]
  for (const status of statuses) (pinnedIds.includes(status.id) ? pinned : others).push(status)
  const profile = profileOf(ctx, { account, tags: account.show_featured ? tags : [] })
  // On each tab, so that other servers find the account by the URL of any of them.
  reply.header('link', `<${account.uri}>; rel="alternate"; type="application/activity+json"`)
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
        pages: postsPage.pages,
        path,
        feedUrl: `${tabPath}.rss`,
        followUrl: `/authorize_interaction?uri=${encodeURIComponent(account.uri)}`,
        preview: {
          ...preview,
          url: origin + tabPath,
          alternates: [
            { type: 'application/activity+json', href: account.uri },
            { type: 'application/rss+xml', href: `${origin}${tabPath}.rss`, title: preview.title },
          ],
        },
        now: ctx.now(),
      })
    },
  })
}

function filterOf(tab: ProfileTab) {
  if (typeof tab === 'object') return { tagged: tab.tagged }
  return { posts: { excludeReplies: true }, replies: {}, media: { onlyMedia: true, excludeReblogs: true } }[tab]
}

async function listPinnedIds(ctx: Ctx, { id }: LocalAccount): Promise<string[]> {
  const rows = await listPinnedStatuses(ctx, { accountId: id, viewerId: null, page: { limit: MAX_PINNED } })
  return rows.map((row) => row.id)
}
