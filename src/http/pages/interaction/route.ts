import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { resolveHandle } from '../../../domain/accounts/resolve-handle.ts'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import { followAccount } from '../../../domain/relationships/follow.ts'
import { boostStatus } from '../../../domain/statuses/boost.ts'
import { favouriteStatus } from '../../../domain/statuses/favourite.ts'
import type { Account } from '../../../entities/account.ts'
import type { Status } from '../../../entities/status.ts'
import { NotFound, Refusal } from '../../../lib/errors.ts'
import { parseHandle } from '../../../lib/usernames.ts'
import { renderAccount } from '../../../render/accounts.ts'
import { renderRelationships } from '../../../render/relationships.ts'
import { renderStatus } from '../../../render/statuses.ts'
import type { Api } from '../../api.ts'
import { pageAccountOf, sendPage } from '../../support/page.ts'
import { followPage, nothingFoundPage, postPage } from './template.ts'
import type { Bond } from './template.ts'
import { paths, signInPath } from '../paths.ts'
import { Field, formOf } from '../support/form-body.ts'
import { postOf } from '../post/post-of.ts'

/** Longer addresses are nobody's. */
const MAX_URI_CHARACTERS = 2_000

type Found = { kind: 'account' | 'status'; id: string } | null
type Asked = { request: FastifyRequest; reply: FastifyReply; viewer: Viewer; uri: string; failed?: boolean }

/** Where people come from another server to follow somebody, or to answer a post, as who they are here. */
export async function interactions(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    paths.interaction,
    { schema: { hide: true, querystring: Type.Object({ uri: Field, acct: Field }) } },
    async (request, reply) => {
      const uri = request.query.uri ?? request.query.acct ?? ''
      const viewer = memberOf({ request, reply, uri })
      return viewer ? show(ctx, { request, reply, viewer, uri }) : reply
    },
  )

  api.post(
    paths.interaction,
    { schema: { hide: true, body: formOf({ uri: Field, deed: Field }) } },
    async (request, reply) => {
      const { uri = '', deed = '' } = request.body
      const viewer = memberOf({ request, reply, uri })
      if (!viewer) return reply
      const found = await find(ctx, { uri, viewer })
      const failed = found !== null && !(await act(ctx, { found, deed, viewer }))
      return show(ctx, { request, reply: failed ? reply.code(422) : reply, viewer, uri, failed })
    },
  )

  // Where browsers lead who follow a link of the scheme `web+ap` or `web+mastodon`.
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
      if (path === null) throw new NotFound()
      return reply.redirect(path, 302)
    },
  )
}

/** Our own path for `web+mastodon://follow?uri=…` and `web+mastodon://share?text=…`; null for any other address. */
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

/** Who is signed in and may do things; null: the reply leads to where that is changed, and back. */
function memberOf({ request, reply, uri }: Omit<Asked, 'viewer'>): Viewer | null {
  const { viewer } = request
  if (viewer?.standing === 'usable') return viewer
  void reply.redirect(viewer ? paths.account : signInPath(pathFor(uri)), 303)
  return null
}

/** The person or the post that an address or a handle names, asked for elsewhere if it is not known here. */
async function find(ctx: Ctx, { uri, viewer }: { uri: string; viewer: Viewer }): Promise<Found> {
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
    if (err instanceof NotFound) return null
    throw err
  }
}

/** Whether it could be done. */
async function act(
  ctx: Ctx,
  { found, deed, viewer }: { found: NonNullable<Found>; deed: string; viewer: Viewer },
): Promise<boolean> {
  const { accountId } = viewer
  const { kind, id } = found
  try {
    if (kind === 'account' && deed === 'follow') {
      await ctx.write((tx) => followAccount(tx, { accountId, targetAccountId: id }))
    } else if (kind === 'status' && deed === 'favourite') {
      await ctx.write((tx) => favouriteStatus(tx, { accountId, statusId: id }))
    } else if (kind === 'status' && deed === 'boost') {
      await ctx.write((tx) => boostStatus(tx, { accountId, statusId: id }))
    } else return false
    return true
  } catch (err) {
    if (err instanceof Refusal && err.status < 500) return false
    throw err
  }
}

async function show(ctx: Ctx, { request, reply, viewer, uri, failed = false }: Asked): Promise<FastifyReply> {
  const found = await find(ctx, { uri, viewer })
  const page =
    found && (await (found.kind === 'account' ? followOf : postOfStatus)(ctx, { found, viewer, uri, failed }))
  if (page === null) {
    return sendPage(ctx, { request, reply: reply.code(404), page: (frame) => nothingFoundPage(frame, { uri }) })
  }
  return sendPage(ctx, { request, reply, page })
}

type Showing = { found: NonNullable<Found>; viewer: Viewer; uri: string; failed: boolean }
type PageOf = Parameters<typeof sendPage>[1]['page']

async function followOf(ctx: Ctx, { found, viewer, uri, failed }: Showing): Promise<PageOf | null> {
  const viewerId = viewer.accountId
  const [json, [relation]] = await Promise.all([
    renderAccount(ctx, { id: found.id }),
    renderRelationships(ctx, { ids: [found.id], viewerId }),
  ])
  const account = JSON.parse(json) as Account
  if (account.suspended) return null
  const bond: Bond =
    found.id === viewerId ? 'own' : relation?.following ? 'following' : relation?.requested ? 'requested' : 'none'
  const person = pageAccountOf(ctx, account)
  return (frame) => followPage(frame, { uri, person, locked: account.locked, bond, failed })
}

async function postOfStatus(ctx: Ctx, { found, viewer, uri, failed }: Showing): Promise<PageOf | null> {
  const status = JSON.parse(await renderStatus(ctx, { id: found.id, viewerId: viewer.accountId })) as Status
  const original = status.reblog ?? status
  const mayBoost = original.visibility === 'public' || original.visibility === 'unlisted'
  return (frame) =>
    postPage(frame, {
      uri,
      post: postOf(ctx, status),
      favourited: original.favourited ?? false,
      boosted: original.reblogged ?? false,
      boostable: mayBoost,
      failed,
      now: ctx.now(),
    })
}
