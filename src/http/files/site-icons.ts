import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Ctx } from '../../domain/context.ts'
import { findSiteIcon } from '../../domain/instance/site-icon.ts'
import type { SiteIcon } from '../../domain/instance/site-icon.ts'
import type { TypedFastify } from '../typed-fastify.ts'

/** The icons that ship with the server, by the paths under which API responses, pages and browsers refer to them. */
const ICONS: readonly [path: string, size: keyof SiteIcon, file: string][] = [
  ['/favicon.ico', 'small', 'icon-48.png'],
  ['/pages/icon-48.png', 'small', 'icon-48.png'],
  ['/pages/icon-192.png', 'medium', 'icon-192.png'],
  ['/pages/icon-512.png', 'large', 'icon-512.png'],
]

/**
 * Serves the icon that the staff have chosen, or else Linnet's. The paths stay the same, so caches keep an icon for an
 * hour only, and then ask whether it has changed.
 */
export async function siteIcons(api: TypedFastify, ctx: Ctx): Promise<void> {
  for (const [path, size, file] of ICONS) {
    const shipped = await readFile(new URL(`assets/${file}`, import.meta.url))
    api.get(path, { schema: { hide: true } }, async (request, reply) => {
      const key = (await findSiteIcon(ctx))?.[size]
      const etag = `"${createHash('sha256')
        .update(key ?? shipped)
        .digest('base64url')
        .slice(0, 16)}"`
      reply.headers({ etag, 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      reply.type('image/png')
      const stored = key === undefined ? null : await ctx.storage.open({ key })
      if (!stored) return reply.send(shipped)
      // Not awaited, since the reply resolves only after the client has read the whole stream.
      void reply.header('content-length', stored.size).send(stored.stream)
      return reply
    })
  }
}
