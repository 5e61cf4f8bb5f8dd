import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { NotFoundError } from '../../lib/errors.ts'
import type { TypedFastify } from '../typed-fastify.ts'
import { BUILD_FOLDER, BUILD_PREFIX } from './read-build.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
}

/** The compressed variants that the build writes beside its files (`bin/build-web.ts`), the best first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

const SERVICE_WORKER = 'service-worker.js'

/**
 * The files of the built web client. Only those that are there when they are requested for the first time are served, by
 * their names, so no path leads out of the folder. The names of assets contain a hash of their content, so caches may
 * keep them.
 */
export async function webClientFiles(api: TypedFastify): Promise<void> {
  let files = await listFiles()

  api.get(`${BUILD_PREFIX}*`, { schema: { hide: true } }, async (request, reply) => {
    const name = (request.params as { '*': string })['*']
    // During development, a new build has other names.
    if (!files.has(name)) files = await listFiles()
    const type = TYPES[extname(name)]
    if (!files.has(name) || type === undefined) throw new NotFoundError()
    reply.headers({
      'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'Accept-Encoding',
    })
    if (name === SERVICE_WORKER) {
      reply.headers({
        'service-worker-allowed': '/',
        // It requests the documents and files of this server for its windows.
        'content-security-policy': "default-src 'none'; connect-src 'self'",
      })
    }
    return send({ request, reply: reply.type(type), files, name })
  })
}

/** Returns the paths of all files of the build, relative to its folder. */
async function listFiles(): Promise<ReadonlySet<string>> {
  const entries = await readdir(BUILD_FOLDER, { recursive: true, withFileTypes: true })
  const prefix = BUILD_FOLDER.pathname.length
  return new Set(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(prefix).replace(/^\//, ''))
      .filter((path) => !path.startsWith('.')),
  )
}

function send({
  request,
  reply,
  files,
  name,
}: {
  request: FastifyRequest
  reply: FastifyReply
  files: ReadonlySet<string>
  name: string
}): FastifyReply {
  const accepted = request.headers['accept-encoding'] ?? ''
  const variant = ENCODINGS.find(([encoding, extension]) => accepted.includes(encoding) && files.has(name + extension))
  if (variant) reply.header('content-encoding', variant[0])
  return reply.send(createReadStream(new URL(`${name}${variant?.[1] ?? ''}`, BUILD_FOLDER)))
}
