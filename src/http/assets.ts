import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Api } from './api.ts'

const FOLDER = new URL('assets/', import.meta.url)

/** The server's own pictures, under the addresses that renderings name. */
const PICTURES = {
  '/avatars/original/missing.png': 'missing-avatar.png',
  '/headers/original/missing.png': 'missing-header.png',
  '/pages/preview.png': 'preview.png',
  '/pages/icon-48.png': 'icon-48.png',
  '/pages/icon-192.png': 'icon-192.png',
  '/pages/icon-512.png': 'icon-512.png',
} as const

export async function assets(api: Api): Promise<void> {
  for (const [path, file] of Object.entries(PICTURES)) {
    const body = await readFile(new URL(file, FOLDER))
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`
    api.get(path, { schema: { hide: true } }, async (request, reply) => {
      reply.headers({ etag, 'cache-control': 'public, max-age=86400', 'x-content-type-options': 'nosniff' })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.type('image/png').send(body)
    })
  }
}
