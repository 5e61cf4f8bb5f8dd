import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { resolveHandle } from '../../../domain/accounts/lookup/resolve-handle.ts'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import { followAccount } from '../../../domain/relationships/follows/follow-account.ts'
import { reblogStatus } from '../../../domain/statuses/interactions/reblog-status.ts'
import { favouriteStatus } from '../../../domain/statuses/interactions/favourite-status.ts'
import { parseEntity } from '../../../lib/json/json-content.ts'
import { NotFoundError, RequestError, TooManyRequestsError } from '../../../lib/errors.ts'
import { parseHandle } from '../../../lib/usernames.ts'
import { renderAccount } from '../../../render/accounts/render-accounts.ts'
import { renderRelationships } from '../../../render/accounts/render-relationships.ts'
import { renderStatus } from '../../../render/statuses/render-statuses.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { countAction } from '../../support/rate-limits/rate-limits.ts'
import { THROTTLES } from '../../support/rate-limits/throttles.ts'
import { pageAccountOf, sendPage } from '../../support/response/send-page.ts'
import { followPage, nothingFoundPage, postPage } from './template.ts'
import type { FollowState } from './template.ts'
import { paths } from '../paths.ts'
import { requireUser } from '../settings/own-account.ts'
import { Field, formOf } from '../support/form-body.ts'
import { postOf } from '../post/post-of.ts'

/** No account or post has a longer URI. */
const MAX_URI_CHARACTERS = 2_000

type Target = { kind: 'account' | 'status'; id: string }
type InteractionRequest = {
  request: FastifyRequest
  reply: FastifyReply
  viewer: Viewer
  uri: string
  failed?: boolean
}

/**
 * The pages for users who come from another server, to follow an account or to interact with a post from their account
 * on this server (Mastodon: GET /authorize_interaction).
 */
export async function interactions(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    paths.interaction,
    { schema: { hide: true, querystring: Type.Object({ uri: Field, acct: Field }) } },
    async (request, reply) => {
      const uri = request.query.uri ?? request.query.acct ?? ''
      const viewer = requireUser(request, { reply, page: paths.interaction, path: pathFor(uri) })
      return viewer ? sendInteractionPage(ctx, { request, reply, viewer, uri }) : reply
    },
  )

  api.post(
    paths.interaction,
    { schema: { hide: true, body: formOf({ uri: Field, action: Field }) } },
    async (request, reply) => {
      const { uri = '', action = '' } = request.body
      const viewer = requireUser(request, { reply, page: paths.interaction, path: pathFor(uri) })
      if (!viewer) return reply
      const target = await findTarget(ctx, { uri, viewer })
      const failed = target !== null && !(await interact(ctx, { request, reply, target, action, viewer }))
      return sendInteractionPage(ctx, { request, reply: failed ? reply.code(422) : reply, viewer, uri, failed })
    },
  )

  // Browsers open links with the schemes `web+ap` and `web+mastodon` here, if the user has registered this handler.
  api.get(
    '/.well-known/proxy',
    { schema: { hide: true, querystring: Type.Object({ target: Field, uri: Field }) } },
    async (request, reply) => {
      const target = (request.query.target ?? request.query.uri ?? '').replace(/^web\+(?:ap|mastodon):/, 'https:')
      return reply.redirect(pathFor(target), 302)
    },
  )

  api.get(
    paths.intent,
    { schema: { hide: true, querystring: Type.Object({ uri: Field }) } },
    async (request, reply) => {
      const path = intentPath(request.query.uri ?? '')
      if (path === null) throw new NotFoundError()
      return reply.redirect(path, 302)
    },
  )
}

/** Returns the path for `web+mastodon://follow?uri=…` and `web+mastodon://share?text=…`; null for any other URI. */
function intentPath(uri: string): string | null {
  const intent = uri.length > MAX_URI_CHARACTERS ? null : URL.parse(uri)
  if (intent?.protocol !== 'web+mastodon:') return null
  if (intent.host === 'follow') return pathFor(intent.searchParams.get('uri') ?? '')
  const text = new URLSearchParams({ text: intent.searchParams.get('text') ?? '' })
  return intent.host === 'share' ? `${paths.share}?${text.toString()}` : null
}

function pathFor(uri: string): string {
  return `${paths.interaction}?${new URLSearchParams({ uri }).toString()}`
}

/**
 * Returns the account or the post of a URI or a handle, resolved on its server if it is unknown; null if there is none.
 */
async function findTarget(ctx: Ctx, { uri, viewer }: { uri: string; viewer: Viewer }): Promise<Target | null> {
  const text = uri.trim()
  if (text.length > MAX_URI_CHARACTERS) return null
  if (/^https?:\/\//i.test(text)) {
    const found = await ctx.remote.resolve({ uri: text, viewerId: viewer.accountId })
    return found && found.kind !== 'collection' ? { kind: found.kind, id: found.id } : null
  }
  const handle = text.replace(/^acct:/i, '')
  if (parseHandle(handle) === null) return null
  try {
    return { kind: 'account', id: await resolveHandle(ctx, { handle }) }
  } catch (err) {
    if (err instanceof NotFoundError) return null
    throw err
  }
}

/** Performs the action. Returns false if it is unknown or was refused. @throws TooManyRequestsError */
async function interact(
  ctx: Ctx,
  {
    request,
    reply,
    target,
    action,
    viewer,
  }: Pick<InteractionRequest, 'request' | 'reply' | 'viewer'> & { target: Target; action: string },
): Promise<boolean> {
  const { accountId } = viewer
  const { kind, id } = target
  try {
    if (kind === 'account' && action === 'follow') {
      await countAction(ctx, { request, reply, throttle: THROTTLES.follows, accountId }, () =>
        ctx.write((tx) => followAccount(tx, { accountId, targetAccountId: id })),
      )
    } else if (kind === 'status' && action === 'favourite') {
      await ctx.write((tx) => favouriteStatus(tx, { accountId, statusId: id }))
    } else if (kind === 'status' && action === 'boost') {
      await ctx.write((tx) => reblogStatus(tx, { accountId, statusId: id }))
    } else return false
    return true
  } catch (err) {
    if (err instanceof RequestError && !(err instanceof TooManyRequestsError) && err.status < 500) return false
    throw err
  }
}

async function sendInteractionPage(
  ctx: Ctx,
  { request, reply, viewer, uri, failed = false }: InteractionRequest,
): Promise<FastifyReply> {
  const target = await findTarget(ctx, { uri, viewer })
  const page =
    target &&
    (await (target.kind === 'account' ? renderFollowPage : renderPostPage)(ctx, { target, viewer, uri, failed }))
  if (page === null) {
    return sendPage(ctx, { request, reply: reply.code(404), page: (frame) => nothingFoundPage(frame, { uri }) })
  }
  return sendPage(ctx, { request, reply, page })
}

type PageContext = { target: Target; viewer: Viewer; uri: string; failed: boolean }
type PageOf = Parameters<typeof sendPage>[1]['page']

async function renderFollowPage(ctx: Ctx, { target, viewer, uri, failed }: PageContext): Promise<PageOf | null> {
  const viewerId = viewer.accountId
  const [json, [relationship]] = await Promise.all([
    ctx.read(renderAccount, { id: target.id }),
    renderRelationships(ctx, { ids: [target.id], viewerId }),
  ])
  const account = parseEntity(json)
  // Unconfirmed and unapproved accounts have no relationship.
  if (account.suspended || !relationship) return null
  const followState: FollowState =
    target.id === viewerId
      ? 'own'
      : relationship.following
        ? 'following'
        : relationship.requested
          ? 'requested'
          : 'none'
  const pageAccount = pageAccountOf(ctx, account)
  return (frame) => followPage(frame, { uri, account: pageAccount, locked: account.locked, followState, failed })
}

async function renderPostPage(ctx: Ctx, { target, viewer, uri, failed }: PageContext): Promise<PageOf | null> {
  const viewerId = viewer.accountId
  const status = parseEntity(await ctx.read(renderStatus, { id: target.id, viewerId }))
  const original = status.reblog ?? status
  const { visibility } = original
  const isOwn = original.account.id === viewerId
  const canReblog = visibility === 'public' || visibility === 'unlisted' || (visibility === 'private' && isOwn)
  return (frame) =>
    postPage(frame, {
      uri,
      post: postOf(ctx, status),
      favourited: original.favourited ?? false,
      reblogged: original.reblogged ?? false,
      canReblog,
      failed,
      now: ctx.now(),
    })
}
