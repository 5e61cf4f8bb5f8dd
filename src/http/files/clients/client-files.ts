import { extname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { CLIENT_OPENER_POLICY } from '../../support/response/set-security-headers.ts'
import { clientContentSecurityPolicy, hashInlineScripts } from './client-content-security-policy.ts'
import { findClientFolder, findEntry, INDEX_FILE, isInside } from './find-client-file.ts'

/** The content of a file whose name has a hash never changes. Browsers revalidate the others by their ETag. */
const IMMUTABLE = 'public, max-age=31536000, immutable'
const REVALIDATE = 'no-cache'

/** The part of a file name before the extension that may be a hash, as build tools write it: `index-Dw8frQ2a.js`. */
const HASH_PATTERN = /[.-](?!\d+x\d+\.)(?=\w*\d)(?=\w*[a-z])\w{8,64}\.[a-z\d]+$/i

/**
 * Serves the third-party clients in the folder `CLIENTS_DIR`, each below the name of its subfolder. A path without a file
 * gets the index page of the client if a user opens it, since clients have routes of their own.
 */
export async function clientFiles(api: TypedFastify, { config }: Ctx): Promise<void> {
  const { clientsDir } = config
  if (clientsDir !== null) {
    // Loading it takes time, and most servers have no clients.
    const { default: fastifyStatic } = await import('@fastify/static')
    await api.register(fastifyStatic, { serve: false, cacheControl: false, index: false, preCompressed: true })
  }

  api.get('/*', { schema: { hide: true } }, async (request, reply) => {
    if (clientsDir === null || isServiceWorker(request)) throw new NotFoundError()
    const [name = '', ...segments] = (request.params as { '*': string })['*'].split('/')
    const folder = await findClientFolder({ clientsDir, name })
    if (folder === null) throw new NotFoundError()
    const [path = '', query] = request.url.split('?', 2)
    const isFolderPath = path.endsWith('/')
    const entry = await findEntry(folder, segments)
    const client = { folder, name }
    if (entry === 'file' && !isFolderPath) return send(reply, { ...client, segments })
    if (entry === 'folder' && (await findEntry(folder, [...segments, INDEX_FILE])) === 'file') {
      if (isFolderPath) return send(reply, { ...client, segments: [...segments, INDEX_FILE] })
      // Relative addresses of the page would otherwise lead out of its folder.
      const location = `${path}/${query === undefined ? '' : `?${query}`}`
      return reply.header('cache-control', REVALIDATE).redirect(location, 302)
    }
    if (!isNavigation(request)) throw new NotFoundError()
    return send(reply, { ...client, segments: [INDEX_FILE] })
  })

  async function send(
    reply: FastifyReply,
    { folder, name, segments }: { folder: string; name: string; segments: readonly string[] },
  ): Promise<FastifyReply> {
    if ((await findEntry(folder, segments)) !== 'file') throw new NotFoundError()
    const path = segments.join('/')
    const isPage = /^\.x?html?$/i.test(extname(path))
    const scriptHashes = isPage ? await hashInlineScripts(join(folder, path)) : []
    reply.headers({
      'content-security-policy': clientContentSecurityPolicy(config, { name, scriptHashes }),
      'cross-origin-opener-policy': CLIENT_OPENER_POLICY,
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'cache-control': !isPage && HASH_PATTERN.test(path) ? IMMUTABLE : REVALIDATE,
    })
    return reply.sendFile(path, folder, {
      // The compressed variant of a file may be a link of its own.
      async onFile(file) {
        if (!(await isInside(folder, file))) throw new NotFoundError()
      },
    })
  }
}

/** Whether a browser requests a service worker, whose responses would have no content security policy of this server. */
function isServiceWorker({ headers }: FastifyRequest): boolean {
  return headers['service-worker'] !== undefined || headers['sec-fetch-dest'] === 'serviceworker'
}

/** Whether a user opens the address, in contrast to a page that loads a file. */
function isNavigation({ headers }: FastifyRequest): boolean {
  const mode = headers['sec-fetch-mode']
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate'
}
