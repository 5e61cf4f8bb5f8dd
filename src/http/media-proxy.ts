import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Ctx } from '../domain/context.ts'
import { findCached } from '../domain/media/cached/find.ts'
import type { Shown } from '../domain/media/cached/find.ts'
import { getCached, keepOnce } from '../domain/media/cached/keep.ts'
import { NotFound } from '../lib/errors.ts'
import { networkOf } from '../lib/network.ts'
import type { Api } from './api.ts'
import { PathId } from './support/params.ts'
import { countAgainst } from './support/rate.ts'
import { sendStored } from './support/send-stored.ts'
import { THROTTLES } from './support/throttles.ts'

const KEY = /^[0-9a-f]{32}$/

/** Pictures of people elsewhere, by the names that addresses have. */
const PICTURES: Record<string, { rendition: 'avatar' | 'header'; still: boolean }> = {
  avatar: { rendition: 'avatar', still: false },
  avatar_static: { rendition: 'avatar', still: true },
  header: { rendition: 'header', still: false },
  header_static: { rendition: 'header', still: true },
}

/** Files of other servers, kept here for readers, by what shows them: nobody can name an address that we would ask. */
export async function mediaProxy(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '/:id/:rendition',
    {
      schema: {
        hide: true,
        params: Type.Object({ id: PathId, rendition: Type.String() }),
        querystring: Type.Object({ key: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const { id, rendition } = request.params
      const { key = null } = request.query
      if ((rendition !== 'original' && rendition !== 'small') || (key !== null && !KEY.test(key))) throw new NotFound()
      return send(ctx, { request, reply, shown: { of: 'media', id, rendition, key }, still: false })
    },
  )

  api.get(
    '/accounts/:id/:picture',
    { schema: { hide: true, params: Type.Object({ id: PathId, picture: Type.String() }) } },
    async (request, reply) => {
      const { id, picture } = request.params
      if (!Object.hasOwn(PICTURES, picture)) throw new NotFound()
      const { rendition, still } = PICTURES[picture]!
      return send(ctx, { request, reply, shown: { of: 'account', id, rendition }, still })
    },
  )

  api.get(
    '/emojis/:id/:picture',
    { schema: { hide: true, params: Type.Object({ id: PathId, picture: Type.String() }) } },
    async (request, reply) => {
      const { id, picture } = request.params
      if (picture !== 'original' && picture !== 'static') throw new NotFound()
      const shown: Shown = { of: 'emoji', id, rendition: 'emoji' }
      return send(ctx, { request, reply, shown, still: picture === 'static' })
    },
  )
}

async function send(
  ctx: Ctx,
  { request, reply, shown, still }: { request: FastifyRequest; reply: FastifyReply; shown: Shown; still: boolean },
): Promise<FastifyReply> {
  // Without a cache no address leads here.
  if (ctx.config.mediaCacheBytes === 0) throw new NotFound()
  const found = await findCached(ctx, shown)
  // What is kept already costs nothing.
  const onMiss = () =>
    countAgainst(ctx, { request, reply, throttle: THROTTLES.remoteFiles, key: `ip:${networkOf(request.ip)}` })
  const file = await getCached(ctx, found, onMiss)
  if (await sendStored(ctx, { request, reply, key: still ? file.staticKey : file.key })) return reply
  // The row is there, its file is not: it was lost, or is just being removed.
  const anew = await keepOnce(ctx, found, { lost: file.key })
  if (await sendStored(ctx, { request, reply, key: still ? anew.staticKey : anew.key })) return reply
  throw new NotFound()
}
