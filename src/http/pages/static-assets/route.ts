import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { NotFoundError } from '../../../lib/errors.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { favicon } from '../layout/mark.ts'
import { passkeyScript } from '../layout/passkey-script.ts'
import { stylesheet } from '../layout/stylesheet.ts'

/** The stylesheet and the icon of all pages, and the script of pages with passkeys. */
export async function staticAssets(api: TypedFastify): Promise<void> {
  api.get(
    '/pages/:file',
    { schema: { hide: true, params: Type.Object({ file: Type.String() }) } },
    async (request, reply) => {
      const file = [stylesheet, passkeyScript].find(({ path }) => path === `/pages/${request.params.file}`)
      if (!file) throw new NotFoundError()
      return send(request, reply, { ...file, cache: 'public, max-age=31536000, immutable' })
    },
  )

  api.get(favicon.path, { schema: { hide: true } }, async (request, reply) =>
    send(request, reply, { ...favicon, cache: 'public, max-age=86400' }),
  )
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, etag, cache }: { type: string; body: string; etag: string; cache: string },
): FastifyReply {
  reply.headers({ etag, 'cache-control': cache })
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.type(type).send(body)
}
