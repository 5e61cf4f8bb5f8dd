import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { LocalAccount } from '../../../domain/accounts/find-local.ts'
import type { Ctx } from '../../../domain/context.ts'
import { findContext } from '../../../domain/statuses/context.ts'
import { wasOpen } from '../../../domain/statuses/open.ts'
import type { Status } from '../../../entities/status.ts'
import { Gone, NotFound } from '../../../lib/errors.ts'
import type { Api } from '../../api.ts'
import { PathId } from '../../support/params.ts'
import { sendPublicPage } from '../../support/page.ts'
import { embedPage } from './embed-template.ts'
import { nameOf } from '../layout/page-account.ts'
import type { Post } from '../post/template.ts'
import type { Preview } from '../layout/preview.ts'
import { threadPage } from './template.ts'
import { historyOf } from './history-of.ts'
import { personAt } from '../profile/local-account.ts'
import { openStatuses } from '../post/open-statuses.ts'
import { postOf } from '../post/post-of.ts'
import { previewOf, shorten } from '../post/preview-of.ts'
import { historyPage } from './history-template.ts'

/** As many replies as strangers are shown. */
const MAX_REPLIES = 60

const MAX_TITLE_CHARACTERS = 60

const ByNameAndId = Type.Object({ name: Type.String(), id: PathId })

type Found = { request: FastifyRequest; reply: FastifyReply; status: Status; post: Post }

/** Single posts: in their thread, with their versions, and alone for frames of other sites. */
export async function threads(api: Api, ctx: Ctx): Promise<void> {
  const schema = { hide: true, params: ByNameAndId }

  api.get('/@:name/:id', { schema, constraints: { answers: 'page' } }, async (request, reply) => {
    const found = await findPost(ctx, { request, reply, ...request.params })
    return found ? showThread(ctx, found) : reply
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
 * The post at an address. null: the reply is on its way; of a boost it leads to what was boosted, with this `part` of its
 * address.
 * @throws NotFound, the very same for what is hidden as for what never was · Gone for what everybody could see
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
): Promise<Found | null> {
  const person = await personAt(ctx, { request, reply, name, statusId: id })
  if (!person) return null
  const [status] = await openStatuses(ctx, { ids: [id] })
  if (status?.account.id !== person.id) throw await absence(ctx, { person, id })
  const post = postOf(ctx, status)
  if (status.reblog) {
    void reply.redirect(post.url.startsWith(`${ctx.config.origin}/`) ? `${post.url}${part}` : post.url, 302)
    return null
  }
  return { request, reply, status, post }
}

async function absence(ctx: Ctx, { person, id }: { person: LocalAccount; id: string }): Promise<Gone | NotFound> {
  return (await wasOpen(ctx, { accountId: person.id, statusId: id })) ? new Gone() : new NotFound()
}

async function showThread(ctx: Ctx, { request, reply, status, post }: Found): Promise<FastifyReply> {
  const { ancestorIds, descendantIds } = await findContext(ctx, { id: status.id, viewerId: null })
  const around = await openStatuses(ctx, { ids: [...ancestorIds, ...descendantIds] })
  const above = new Set(ancestorIds)
  const depths = new Map([[status.id, -1]])
  const replies = around
    .filter(({ id }) => !above.has(id))
    .map((one) => {
      // What hangs on something hidden stands where that would stand, or as high as it gets.
      const depth = (depths.get(one.in_reply_to_id ?? '') ?? -1) + 1
      depths.set(one.id, depth)
      return { post: { ...postOf(ctx, one), replyTo: null }, depth }
    })
  const before = around.filter(({ id }) => above.has(id)).map((one) => ({ ...postOf(ctx, one), replyTo: null }))
  const noindex = status.account.noindex === true || status.account.limited === true
  const said = previewOf(post)
  const preview: Preview = { ...said, noindex, alternates: alternatesOf(ctx, { status, title: said.title }) }
  reply.header('link', `<${status.uri}>; rel="alternate"; type="application/activity+json"`)
  return sendPublicPage(ctx, {
    request,
    reply,
    noindex,
    page: (frame) =>
      threadPage(frame, {
        title: `${nameOf(post.author)}: ${shorten(said.description, MAX_TITLE_CHARACTERS)}`,
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
