import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Ctx } from '../../domain/context.ts'
import { html, raw } from '../../lib/html/html.ts'
import { iconTags } from '../pages/layout/mark.ts'

/** The API reference is a script that inserts its own styles. It may load and request nothing from other servers. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const SCRIPT_PATH = '/api/docs/reference.js'

/** Turns off what the script does by default: loading fonts, offering the services of its vendor, and telemetry. */
const REFERENCE_SETTINGS = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
}

const SCRIPT_TAGS = raw(`
  <script id="api-reference" data-url="/api/openapi.json" data-configuration='${JSON.stringify(REFERENCE_SETTINGS)}'></script>
  <script src="${SCRIPT_PATH}"></script>`)

/** Serves the description of the API as an OpenAPI document and as a page. */
export async function apiDocs(app: FastifyInstance, ctx: Ctx): Promise<void> {
  let document: Buffer | undefined
  app.get(
    '/api/openapi.json',
    { schema: { tags: ['server'], summary: 'View this description of the API', response: { 200: Type.Object({}) } } },
    async (_request, reply) => {
      document ??= Buffer.from(JSON.stringify(app.swagger()))
      return reply.type('application/json; charset=utf-8').send(document)
    },
  )
  app.get('/api/docs', async (_request, reply) => {
    const page = html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>API &middot; ${ctx.config.localDomain}</title>
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          ${iconTags}
        </head>
        <body>
          <noscript
            >This page needs scripts. The document that it shows is <a href="/api/openapi.json">here</a>.</noscript
          >
          ${SCRIPT_TAGS}
        </body>
      </html>`
    return reply
      .header('content-security-policy', CONTENT_SECURITY_POLICY)
      .type('text/html; charset=utf-8')
      .send(page.toString())
  })
  let script: Promise<Buffer> | undefined
  app.get(SCRIPT_PATH, async (_request, reply) => {
    script ??= loadScript()
    return reply.type('text/javascript; charset=utf-8').send(await script)
  })
}

/**
 * Returns the script of the page. Its package provides the script only through a Fastify plugin, so the plugin is
 * registered on a separate instance that never listens. The script has 4 MB, so it is loaded at the first request.
 */
async function loadScript(): Promise<Buffer> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const pluginServer = Fastify()
  await pluginServer.register(reference, { routePrefix: '/', configuration: { url: '/' } })
  const { rawPayload } = await pluginServer.inject('/js/scalar.js')
  await pluginServer.close()
  return rawPayload
}
