import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Ctx } from '../domain/context.ts'
import { html, raw } from '../lib/html.ts'
import { favicon } from './pages/layout/mark.ts'

/** The page runs a program that writes its own styles; it may load and ask nothing outside of this server. */
const POLICY = [
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

const SCRIPT = '/api/docs/reference.js'

/** What the program of the page would do by itself otherwise: fetch fonts, offer its maker's services, count visitors. */
const SETTINGS = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
}

const PROGRAM = raw(`
  <script id="api-reference" data-url="/api/openapi.json" data-configuration='${JSON.stringify(SETTINGS)}'></script>
  <script src="${SCRIPT}"></script>`)

/** The description of the API, as a document for programs and as a page for people. */
export async function apiDocs(app: FastifyInstance, ctx: Ctx): Promise<void> {
  let document: string | undefined
  app.get(
    '/api/openapi.json',
    { schema: { tags: ['server'], summary: 'This description of the API', response: { 200: Type.Object({}) } } },
    async (_request, reply) => {
      document ??= JSON.stringify(app.swagger())
      return reply.type('application/json; charset=utf-8').send(document)
    },
  )
  app.get('/api/docs', async (_request, reply) => {
    const page = html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>API · ${ctx.config.localDomain}</title>
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <link rel="icon" type="${favicon.type}" href="${favicon.path}" />
        </head>
        <body>
          <noscript
            >This page needs scripts. The document that it shows is <a href="/api/openapi.json">here</a>.</noscript
          >
          ${PROGRAM}
        </body>
      </html>`
    return reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(page.toString())
  })
  let script: Promise<string> | undefined
  app.get(SCRIPT, async (_request, reply) => {
    script ??= loadScript()
    return reply.type('text/javascript; charset=utf-8').send(await script)
  })
}

/**
 * The program of the page, which its package gives out only through a plugin. It has four megabytes, so it is loaded
 * when somebody reads the page for the first time, by a server of its own that never listens.
 */
async function loadScript(): Promise<string> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const inner = Fastify()
  await inner.register(reference, { routePrefix: '/', configuration: { url: '/' } })
  const { body } = await inner.inject('/js/scalar.js')
  await inner.close()
  return body
}
