import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../domain/context.ts'
import { NotFound } from '../lib/errors.ts'
import { isId } from '../lib/ids.ts'
import { toJson } from '../lib/json.ts'
import { statement } from '../platform/db/statement.ts'
import { createActorDocument, findActor } from './actor-document.ts'
import { redirect, sendDocument, wantsPage } from './answer.ts'
import { ensureActorKey } from './keys.ts'
import { findLocalAccount } from '../domain/accounts/find-local.ts'
import { actorUri } from './objects/uris.ts'
import { writeInstanceActor } from './objects/write-actor.ts'
import { presentEmoji } from './objects/write-emoji.ts'
import type { EmojiRow } from './objects/write-emoji.ts'
import { findSigner } from './signer.ts'
import { ACTOR_CONTEXT, NOTE_CONTEXT, withContext } from './wire/context.ts'

const findEmoji = statement<{ params: { id: string }; row: EmojiRow & { updated_at: Date }; notNull: 'image_key' }>(
  `select id, shortcode, image_key, updated_at from custom_emojis
   where id = $id and domain is null and not disabled and image_key is not null`,
)

/** The actors of here: the people, and the server itself. */
export async function actors(server: FastifyInstance, ctx: Ctx): Promise<void> {
  const { config } = ctx

  // Without a look at who signed: two servers that each want to know the other first would wait for ever.
  server.get('/actor', async (_request, reply) => {
    const { publicKeyPem } = await ensureActorKey(ctx, { accountId: null })
    const actor = writeInstanceActor(config, { publicKeyPem })
    return sendDocument(reply, { json: withContext(ACTOR_CONTEXT, actor), shared: true })
  })

  server.get<{ Params: { id: string } }>('/ap/users/:id', async (request, reply) => {
    const { isSigned } = await findSigner(ctx, request)
    const shared = !isSigned
    const { account, document } = await ctx.read(findActor, { id: request.params.id, now: ctx.now() })
    if (wantsPage(request)) return redirect(reply, { to: account.url, shared })
    return sendDocument(reply, {
      json: document ?? (await createActorDocument(ctx, { accountId: account.id })),
      shared,
    })
  })

  server.get<{ Params: { name: string } }>('/users/:name', async (request, reply) => {
    const { id, url } = await ctx.read(findLocalAccount, { username: request.params.name, now: ctx.now() })
    return redirect(reply, { to: wantsPage(request) ? url : actorUri(config, id), shared: true })
  })

  // Pages lie at these addresses, too; only who asks for a document comes here.
  const document = { constraints: { answers: 'document' } }

  server.get<{ Params: { name: string } }>('/@:name', document, async (request, reply) => {
    const { id } = await ctx.read(findLocalAccount, { username: request.params.name, now: ctx.now() })
    return redirect(reply, { to: actorUri(config, id), shared: true })
  })

  // Where its document lies does not depend on whether there is such a status: that is told, or not, over there.
  server.get<{ Params: { name: string; id: string } }>('/@:name/:id', document, async (request, reply) => {
    const { name, id } = request.params
    const actor = await ctx.read(findLocalAccount, { username: name, now: ctx.now() })
    if (!isId(id)) throw new NotFound()
    return redirect(reply, { to: `${actorUri(config, actor.id)}/statuses/${id}`, shared: true })
  })

  server.get<{ Params: { id: string } }>('/emojis/:id', async (request, reply) => {
    const { id } = request.params
    const [row] = isId(id) ? await findEmoji(ctx.db, { id }) : []
    if (!row) throw new NotFound()
    return sendDocument(reply, { json: withContext(NOTE_CONTEXT, toJson(presentEmoji(config, row))), shared: true })
  })
}
