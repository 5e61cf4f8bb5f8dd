import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { NotFoundError } from '../../../lib/errors.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { passkeyScript } from '../layout/passkey-script.ts'
import { stylesheet } from '../layout/stylesheet.ts'

/** The stylesheet of all pages, and the script of pages with passkeys. */
export async function staticAssets(api: TypedFastify): Promise<void> {
  api.get(
    '/pages/:file',
    { schema: { hide: true, params: Type.Object({ file: Type.String() }) } },
    async (request, reply) => {
      const file = [stylesheet, passkeyScript].find(({ path }) => path === `/pages/${request.params.file}`)
      if (!file) throw new NotFoundError()
      return send(request, reply, file)
    },
  )
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, etag }: { type: string; body: string; etag: string },
): FastifyReply {
  reply.headers({ etag, 'cache-control': 'public, max-age=31536000, immutable' })
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.type(type).send(body)
}
