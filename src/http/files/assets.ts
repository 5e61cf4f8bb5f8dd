import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { TypedFastify } from '../typed-fastify.ts'

const FOLDER = new URL('assets/', import.meta.url)

/** The images that ship with the server, by the paths under which API responses and pages refer to them. */
const ASSETS = {
  '/avatars/original/missing.png': 'missing-avatar.png',
  '/headers/original/missing.png': 'missing-header.png',
  '/pages/preview.png': 'preview.png',
} as const

/** Serves the images of `ASSETS`, which caches may keep for a day. */
export async function assets(api: TypedFastify): Promise<void> {
  for (const [path, file] of Object.entries(ASSETS)) {
    const body = await readFile(new URL(file, FOLDER))
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`
    api.get(path, { schema: { hide: true } }, async (request, reply) => {
      reply.headers({ etag, 'cache-control': 'public, max-age=86400', 'x-content-type-options': 'nosniff' })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.type('image/png').send(body)
    })
  }
}
