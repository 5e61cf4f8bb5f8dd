import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BadRequest, TooLarge } from '../../lib/errors.ts'
import { accessOf } from './authorise.ts'
import { UploadedFile } from './files.ts'
import { nest, parsePairs } from './nested.ts'

/** The largest file that any route takes. */
const MAX_FILE_BYTES = 99 * 1024 * 1024
const MAX_FIELD_BYTES = 1024 * 1024
const MAX_PARTS = 200

/**
 * JSON, urlencoded and multipart bodies all become the same plain record, joined by the query's pairs (the body wins).
 * A body of any other type is as if it were empty.
 */
export async function acceptBodies(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    /^application\/([\w.-]+\+)?json/,
    { parseAs: 'string' },
    async (_request: unknown, text: string) => parseJson(text),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, text: string) => parsePairs(text),
  )
  await app.register(multipart, {
    limits: { fileSize: MAX_FILE_BYTES, fieldSize: MAX_FIELD_BYTES, parts: MAX_PARTS, fields: MAX_PARTS, files: 4 },
    throwFileSizeLimit: true,
  })
  app.addContentTypeParser('*', async (_request: unknown, stream: NodeJS.ReadableStream) => {
    stream.resume()
    return {}
  })
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await readMultipart(request)
    if (request.method === 'GET' || request.method === 'HEAD') return
    const body = request.body
    if (body === undefined || body === null || (typeof body === 'object' && !Array.isArray(body))) {
      request.body = { ...(request.query as object), ...(body as object | null) }
    }
  })
  app.addHook('onResponse', async (request) => {
    if (request.uploadFolder) await rm(request.uploadFolder, { recursive: true, force: true })
  })
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text, (key, inner: unknown) => (key === '__proto__' ? undefined : inner))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    throw new BadRequest('There was a problem in the JSON you submitted')
  }
}

/** Fields by their names; files on disk, so that a large upload never lies in memory. */
async function readMultipart(request: FastifyRequest): Promise<Record<string, unknown>> {
  const keepsFiles = accessOf(request)?.files === true
  const pairs: [string, string | object][] = []
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') pairs.push([part.fieldname, String(part.value)])
      else if (keepsFiles) pairs.push([part.fieldname, await keepFile(request, part)])
      else part.file.resume()
    }
  } catch (err) {
    const code = (err as { code?: string }).code ?? ''
    if (code.endsWith('_LIMIT') || code === 'FST_REQ_FILE_TOO_LARGE') throw new TooLarge()
    if (code.startsWith('ENOSPC')) throw err
    throw new BadRequest('There was a problem in the form you submitted')
  }
  return nest(pairs)
}

async function keepFile(
  request: FastifyRequest,
  part: { file: NodeJS.ReadableStream & { bytesRead: number }; filename: string },
): Promise<UploadedFile> {
  request.uploadFolder ??= await mkdtemp(join(tmpdir(), 'linnet-upload-'))
  // The client's name never becomes a path.
  const path = join(request.uploadFolder, String(request.uploadCount++))
  await pipeline(part.file, createWriteStream(path, { mode: 0o600 }))
  return new UploadedFile({ path, filename: part.filename, byteSize: part.file.bytesRead })
}

declare module 'fastify' {
  interface FastifyRequest {
    uploadFolder: string | null
    uploadCount: number
  }
}
