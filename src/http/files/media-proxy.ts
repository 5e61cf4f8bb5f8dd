import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Ctx } from '../../domain/context.ts'
import { findCachedFile } from '../../domain/media/remote-cache/find-cached-file.ts'
import type { RemoteFileReference } from '../../domain/media/remote-cache/find-cached-file.ts'
import { getCachedFile, fetchOnce } from '../../domain/media/remote-cache/get-cached-file.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { networkPrefixOf } from '../../lib/http/network-prefix-of.ts'
import type { TypedFastify } from '../typed-fastify.ts'
import { PathId } from '../support/request/path-params.ts'
import { countUse } from '../support/rate-limits/rate-limits.ts'
import { sendStoredFile } from '../support/response/send-stored-file.ts'
import { THROTTLES } from '../support/rate-limits/throttles.ts'

const CACHE_KEY_PATTERN = /^[0-9a-f]{32}$/

/** Avatars and headers of remote accounts, by the last segment of their proxy path. */
const PROFILE_IMAGES: Record<string, { rendition: 'avatar' | 'header'; isStatic: boolean }> = {
  avatar: { rendition: 'avatar', isStatic: false },
  avatar_static: { rendition: 'avatar', isStatic: true },
  header: { rendition: 'header', isStatic: false },
  header_static: { rendition: 'header', isStatic: true },
}

/**
 * Serves files of other servers from the remote media cache, fetching them on a cache miss. Paths name a local record
 * (attachment, account or emoji), never a URL, so a client cannot make this server fetch an arbitrary URL.
 */
export async function mediaProxy(api: TypedFastify, ctx: Ctx): Promise<void> {
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
      if ((rendition !== 'original' && rendition !== 'small') || (key !== null && !CACHE_KEY_PATTERN.test(key)))
        throw new NotFoundError()
      return sendCachedFile(ctx, {
        request,
        reply,
        reference: { owner: 'media', id, rendition, key },
        isStatic: false,
      })
    },
  )

  api.get(
    '/accounts/:id/:picture',
    { schema: { hide: true, params: Type.Object({ id: PathId, picture: Type.String() }) } },
    async (request, reply) => {
      const { id, picture: imageName } = request.params
      if (!Object.hasOwn(PROFILE_IMAGES, imageName)) throw new NotFoundError()
      const { rendition, isStatic } = PROFILE_IMAGES[imageName]!
      return sendCachedFile(ctx, { request, reply, reference: { owner: 'account', id, rendition }, isStatic })
    },
  )

  api.get(
    '/emojis/:id/:picture',
    { schema: { hide: true, params: Type.Object({ id: PathId, picture: Type.String() }) } },
    async (request, reply) => {
      const { id, picture: imageName } = request.params
      if (imageName !== 'original' && imageName !== 'static') throw new NotFoundError()
      const reference: RemoteFileReference = { owner: 'emoji', id, rendition: 'emoji' }
      return sendCachedFile(ctx, { request, reply, reference, isStatic: imageName === 'static' })
    },
  )
}

async function sendCachedFile(
  ctx: Ctx,
  {
    request,
    reply,
    reference,
    isStatic,
  }: { request: FastifyRequest; reply: FastifyReply; reference: RemoteFileReference; isStatic: boolean },
): Promise<FastifyReply> {
  // Without a cache, the server hands out no URLs of this proxy.
  if (ctx.config.mediaCacheBytes === 0) throw new NotFoundError()
  const lookup = await findCachedFile(ctx, reference)
  // Only files that are not cached yet count against the throttle.
  const onMiss = () =>
    countUse(ctx, { request, reply, throttle: THROTTLES.remoteFiles, key: `ip:${networkPrefixOf(request.clientIp)}` })
  const file = await getCachedFile(ctx, lookup, onMiss)
  if (await sendStoredFile(ctx, { request, reply, key: isStatic ? file.staticKey : file.key })) return reply
  // The database row exists but its file does not: the file was lost, or is being evicted right now.
  const refetched = await fetchOnce(ctx, lookup, { lostKey: file.key })
  if (await sendStoredFile(ctx, { request, reply, key: isStatic ? refetched.staticKey : refetched.key })) return reply
  throw new NotFoundError()
}
