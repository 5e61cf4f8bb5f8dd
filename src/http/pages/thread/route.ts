import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { LocalAccount } from '../../../domain/accounts/lookup/find-local-account.ts'
import type { Ctx } from '../../../domain/context.ts'
import { findContext } from '../../../domain/statuses/read/find-context.ts'
import { wasPubliclyVisible } from '../../../domain/access/publicly-visible.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { GoneError, NotFoundError } from '../../../lib/errors.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { PathId } from '../../support/request/path-params.ts'
import { localeOf, sendPublicPage } from '../../support/response/send-page.ts'
import { embedPage } from './embed-template.ts'
import { nameOf } from '../layout/page-account.ts'
import type { Post } from '../post/template.ts'
import type { Preview } from '../layout/preview.ts'
import { threadPage } from './template.ts'
import { historyOf } from './history-of.ts'
import { findAccountOrReply } from '../profile/local-account.ts'
import { renderPublicStatuses } from '../post/render-public-statuses.ts'
import { postOf } from '../post/post-of.ts'
import { previewOf, shorten } from '../post/preview-of.ts'
import { historyPage } from './history-template.ts'

/** How many replies `findContext` returns for anonymous viewers; if there are as many, more may exist. */
const MAX_REPLIES = 60

const MAX_TITLE_CHARACTERS = 60

const ByNameAndId = Type.Object({ name: Type.String(), id: PathId })

type FoundPost = { request: FastifyRequest; reply: FastifyReply; status: Status; post: Post }

/** The pages of a post: in its thread, with its edit history, and for embedding on other sites. */
export async function threads(api: TypedFastify, ctx: Ctx): Promise<void> {
  const schema = { hide: true, params: ByNameAndId }

  api.get('/@:name/:id', { schema, constraints: { answers: 'page' } }, async (request, reply) => {
    const found = await findPost(ctx, { request, reply, ...request.params })
    return found ? sendThread(ctx, found) : reply
  })

  api.get('/@:name/:id/embed', { schema }, async (request, reply) => {
    const found = await findPost(ctx, { request, reply, ...request.params, part: '/embed' })
    if (!found) return reply
    const preview = { ...previewOf(found.post), noindex: true }
    return sendPublicPage(ctx, {
      ...found,
      framable: true,
      noindex: true,
      page: (frame) => embedPage(frame, { post: found.post, preview, now: ctx.now() }),
    })
  })

  api.get(
    '/@:name/:id/history',
    { schema: { ...schema, querystring: Type.Object({ before: Type.Optional(Type.Integer()) }) } },
    async (request, reply) => {
      const found = await findPost(ctx, { request, reply, ...request.params, part: '/history' })
      if (!found) return reply
      const { post, status } = found
      const history = await historyOf(ctx, {
        statusId: status.id,
        url: `${post.url}/history`,
        before: request.query.before,
        locale: localeOf(ctx, request),
      })
      const preview = { ...previewOf(post), url: `${post.url}/history`, noindex: true }
      return sendPublicPage(ctx, {
        request,
        reply,
        noindex: true,
        page: (frame) => historyPage(frame, { author: post.author, postUrl: post.url, preview, ...history }),
      })
    },
  )
}

/**
 * Returns the post of a page. Returns null if it has sent a reply: for a reblog, a redirect to the same page (`part`)
 * of the original post; otherwise as `findAccountOrReply`.
 * @throws NotFoundError, the same for hidden posts as for those that never existed; GoneError for deleted posts that
 * were   publicly visible
 */
async function findPost(
  ctx: Ctx,
  {
    request,
    reply,
    name,
    id,
    part = '',
  }: { request: FastifyRequest; reply: FastifyReply; name: string; id: string; part?: string },
): Promise<FoundPost | null> {
  const account = await findAccountOrReply(ctx, { request, reply, name, statusId: id })
  if (!account) return null
  const [status] = await renderPublicStatuses(ctx, { ids: [id], viewer: request.viewer })
  if (status?.account.id !== account.id) throw await createAbsenceError(ctx, { account, id })
  const post = postOf(ctx, status)
  if (status.reblog) {
    void reply.redirect(post.url.startsWith(`${ctx.config.origin}/`) ? `${post.url}${part}` : post.url, 302)
    return null
  }
  return { request, reply, status, post }
}

async function createAbsenceError(
  ctx: Ctx,
  { account, id }: { account: LocalAccount; id: string },
): Promise<GoneError | NotFoundError> {
  return (await wasPubliclyVisible(ctx, { accountId: account.id, statusId: id }))
    ? new GoneError()
    : new NotFoundError()
}

async function sendThread(ctx: Ctx, { request, reply, status, post }: FoundPost): Promise<FastifyReply> {
  const { ancestorIds, descendantIds } = await findContext(ctx, { id: status.id, viewerId: null })
  const context = await renderPublicStatuses(ctx, {
    ids: [...ancestorIds, ...descendantIds],
    viewer: request.viewer,
  })
  const ancestors = new Set(ancestorIds)
  const depths = new Map([[status.id, -1]])
  const replies = context
    .filter(({ id }) => !ancestors.has(id))
    .map((one) => {
      // Replies to a hidden post have no depth to continue from, so they stand at the top level.
      const depth = (depths.get(one.in_reply_to_id ?? '') ?? -1) + 1
      depths.set(one.id, depth)
      return { post: { ...postOf(ctx, one), replyTo: null }, depth }
    })
  const before = context.filter(({ id }) => ancestors.has(id)).map((one) => ({ ...postOf(ctx, one), replyTo: null }))
  const noindex = status.account.noindex === true || status.account.limited === true
  const metadata = previewOf(post)
  const preview: Preview = { ...metadata, noindex, alternates: alternatesOf(ctx, { status, title: metadata.title }) }
  reply.header('link', `<${status.uri}>; rel="alternate"; type="application/activity+json"`)
  return sendPublicPage(ctx, {
    request,
    reply,
    noindex,
    page: (frame) =>
      threadPage(frame, {
        title: `${nameOf(post.author)}: ${shorten(metadata.description, MAX_TITLE_CHARACTERS)}`,
        post: before.length > 0 ? { ...post, replyTo: null } : post,
        before,
        replies,
        cut: descendantIds.length >= MAX_REPLIES,
        preview,
        now: ctx.now(),
      }),
  })
}

function alternatesOf(
  ctx: Ctx,
  { status, title }: { status: Status; title: string },
): NonNullable<Preview['alternates']> {
  const query = new URLSearchParams({ url: status.url ?? status.uri, format: 'json' })
  return [
    { type: 'application/activity+json', href: status.uri },
    { type: 'application/json+oembed', href: `${ctx.config.origin}/api/oembed?${query.toString()}`, title },
  ]
}
