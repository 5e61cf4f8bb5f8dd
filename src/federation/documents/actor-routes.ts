import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { toJson } from '../../lib/json/json.ts'
import { statement } from '../../platform/db/statement.ts'
import { createActorDocument, findActor } from './find-actor-document.ts'
import { redirectTo, sendDocument, prefersPage } from './send-document.ts'
import { ensureActorKey } from '../keys/actor-keys.ts'
import { findLocalAccount } from '../../domain/accounts/lookup/find-local-account.ts'
import { actorUri } from '../objects/uris.ts'
import { writeInstanceActor } from '../objects/write/write-actor.ts'
import { renderEmoji } from '../objects/write/write-emoji.ts'
import type { EmojiRow } from '../objects/write/write-emoji.ts'
import { ACTOR_CONTEXT, NOTE_CONTEXT, withContext } from '../wire/context.ts'

const findEmoji = statement<{ params: { id: string }; row: EmojiRow & { updated_at: Date }; notNull: 'image_key' }>(
  `select id, shortcode, image_key, updated_at from custom_emojis
   where id = $id and domain is null and not disabled and image_key is not null`,
)

/**
 * Registers the route of the instance actor. Signatures of requests for it are not verified: two servers that each
 * verify the other first would wait for ever.
 */
export async function registerInstanceActorRoute(server: FastifyInstance, ctx: Ctx): Promise<void> {
  server.get('/actor', async (_request, reply) => {
    const { publicKeyPem } = await ensureActorKey(ctx, { accountId: null })
    const actor = writeInstanceActor(ctx.config, { publicKeyPem })
    return sendDocument(reply, { json: withContext(ACTOR_CONTEXT, actor), shared: true })
  })
}

/** Registers the routes of local actors and of custom emojis. */
export async function registerActorRoutes(server: FastifyInstance, ctx: Ctx): Promise<void> {
  const { config } = ctx
  const page = { config: { redirectsToPage: true } }

  server.get<{ Params: { id: string } }>('/ap/users/:id', page, async (request, reply) => {
    const { isSigned } = request.signer
    const shared = !isSigned
    const { account, document } = await ctx.read(findActor, { id: request.params.id, now: ctx.now() })
    if (prefersPage(request)) return redirectTo(reply, { to: account.url, shared })
    return sendDocument(reply, {
      json: document ?? (await createActorDocument(ctx, { accountId: account.id })),
      shared,
    })
  })

  server.get<{ Params: { name: string } }>('/users/:name', page, async (request, reply) => {
    const { id, url } = await ctx.read(findLocalAccount, { username: request.params.name, now: ctx.now() })
    return redirectTo(reply, {
      to: prefersPage(request) ? url : actorUri(config, id),
      shared: !request.signer.isSigned,
    })
  })

  // The objects of an account below its name, like those of older accounts on Mastodon servers.
  server.get<{ Params: { name: string } }>('/users/:name/*', page, async (request, reply) => {
    const { id } = await ctx.read(findLocalAccount, { username: request.params.name, now: ctx.now() })
    const rest = request.raw.url!.replace(/^\/users\/[^/]+/, '').replace(/\.json(?=\?|$)/, '')
    return redirectTo(reply, { to: actorUri(config, id) + rest, shared: !request.signer.isSigned })
  })

  // Web pages have these URLs, too; these routes only serve requests for documents.
  const document = { constraints: { answers: 'document' } }

  // Programs that cannot set `Accept` request documents by the suffix, as on Mastodon.
  server.get('/users/:name.json', redirectToActor)
  server.get('/@:name.json', redirectToActor)
  server.get('/@:name', document, redirectToActor)
  server.get('/@:name/:id.json', redirectToStatus)
  server.get('/@:name/:id', document, redirectToStatus)

  async function redirectToActor(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { name } = request.params as { name: string }
    const { id } = await ctx.read(findLocalAccount, { username: name, now: ctx.now() })
    return redirectTo(reply, { to: actorUri(config, id), shared: !request.signer.isSigned })
  }

  /** Does not reveal whether the status exists: the document's route decides that. */
  async function redirectToStatus(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { name, id } = request.params as { name: string; id: string }
    const actor = await ctx.read(findLocalAccount, { username: name, now: ctx.now() })
    if (!isId(id)) throw new NotFoundError()
    return redirectTo(reply, { to: `${actorUri(config, actor.id)}/statuses/${id}`, shared: !request.signer.isSigned })
  }

  server.get<{ Params: { id: string } }>('/emojis/:id', async (request, reply) => {
    const { id } = request.params
    const [row] = isId(id) ? await findEmoji(ctx.db, { id }) : []
    if (!row) throw new NotFoundError()
    return sendDocument(reply, {
      json: withContext(NOTE_CONTEXT, toJson(renderEmoji(config, row))),
      shared: !request.signer.isSigned,
    })
  })
}
