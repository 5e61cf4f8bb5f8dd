import type { Ctx } from '../../../domain/context.ts'
import { readInstanceInformation } from '../../../domain/instance/instance-information.ts'
import { PAPER_COLOURS } from '../../../lib/html/paper-colours.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'

const ICON_SIZES = [192, 512]

/** The web app manifest (W3C Web Application Manifest): how a browser installs the site and shares text with it. */
export async function manifest(api: TypedFastify, ctx: Ctx): Promise<void> {
  for (const path of [paths.manifest, `${paths.manifest}.json`]) {
    api.get(path, { schema: { hide: true } }, async (_request, reply) => {
      const { title } = await readInstanceInformation(ctx)
      return reply.type('application/manifest+json; charset=utf-8').send(
        JSON.stringify({
          id: '/',
          name: title,
          short_name: title,
          dir: 'auto',
          start_url: '/',
          scope: '/',
          display: 'standalone',
          theme_color: PAPER_COLOURS.light,
          background_color: PAPER_COLOURS.light,
          categories: ['social'],
          icons: ICON_SIZES.map((size) => ({
            src: `/pages/icon-${size}.png`,
            sizes: `${size}x${size}`,
            type: 'image/png',
          })),
          share_target: {
            action: paths.share,
            method: 'GET',
            params: { title: 'title', text: 'text', url: 'url' },
          },
          protocol_handlers: [{ protocol: 'web+mastodon', url: `${paths.intent}?uri=%s` }],
          shortcuts: [{ name: 'New post', url: paths.share }],
        }),
      )
    })
  }
}
