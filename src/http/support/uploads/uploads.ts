import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import { PayloadTooLargeError } from '../../../lib/errors.ts'
import { networkPrefixOf } from '../../../lib/http/network-prefix-of.ts'
import { toStorageError } from '../../../platform/storage/to-storage-error.ts'
import { routePolicyOf } from '../auth/authorize-routes.ts'
import { UploadedFile } from './uploaded-file.ts'
import { countUse } from '../rate-limits/rate-limits.ts'
import { limitTemporaryBytes } from './limit-temporary-bytes.ts'
import type { TemporaryByteLimiter } from './limit-temporary-bytes.ts'
import { THROTTLES } from '../rate-limits/throttles.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The folder with the files of this request; null if there are none. */
    uploadFolder: string | null
    uploadCount: number
    /**
     * The bytes that may still be written; null before the first file. `release` is called after the files are deleted.
     */
    uploadQuota: { bytesLeft: number; release(): void } | null
  }
}

/** No request takes this long, so older folders were left behind by a crashed process. */
const STALE_UPLOAD_HOURS = 24

/** The most files in one request. */
export const MAX_FILES = 4

const MB = 1_048_576
/** The largest file that any route accepts, except archives of accounts. */
const MAX_FILE_BYTES = 99 * MB
/** The largest files that one account may upload at the same time, per process. */
const FILES_PER_ACCOUNT = 2
/** The limit of all accounts together, per process. */
const MAX_TEMPORARY_BYTES = 1_024 * MB
/** How many archives of the largest size all accounts together may upload at the same time, per process. */
const MAX_ARCHIVES = 2
const RETRY_SECONDS = 10

/** The limits of the files of a kind. */
interface UploadLimit {
  maxFileBytes: number
  /** The limit per account, with the other fields of the bodies. */
  maxAccountBytes: number
  temporaryBytes: TemporaryByteLimiter
}

/** Archives have limits of their own, so that they do not prevent uploads of media. */
export type UploadLimits = Record<'media' | 'archive', UploadLimit>

/** Creates the limits of uploads to one process. */
export function createUploadLimits({ config }: Pick<Ctx, 'config'>): UploadLimits {
  const limit = (maxFileBytes: number, files: number, total: number): UploadLimit => {
    const maxAccountBytes = files * (maxFileBytes + MB)
    return { maxFileBytes, maxAccountBytes, temporaryBytes: limitTemporaryBytes({ perOwner: maxAccountBytes, total }) }
  }
  const maxArchiveBytes = config.archiveUploadBytes
  return {
    media: limit(MAX_FILE_BYTES, FILES_PER_ACCOUNT, MAX_TEMPORARY_BYTES),
    archive: limit(maxArchiveBytes, 1, MAX_ARCHIVES * (maxArchiveBytes + MB)),
  }
}

/** In the data folder, since the temporary folder of the system is often in memory. */
function uploadsFolder({ config }: Ctx): string {
  return join(config.dataDir, 'uploads')
}

/** Deletes the files of a request when its response is sent, even if the client has disconnected. */
export function removeUploadsAfterResponse(app: FastifyInstance, ctx: Ctx): void {
  app.decorateRequest('uploadFolder', null)
  app.decorateRequest('uploadCount', 0)
  app.decorateRequest('uploadQuota', null)
  app.addHook('onReady', async () => removeStaleUploads(uploadsFolder(ctx)))
  // Not `onResponse`, which is called only for responses that were sent completely.
  app.addHook('onSend', (request, _reply, _payload, done) => {
    const folder = request.uploadFolder
    const release = () => request.uploadQuota?.release()
    if (folder === null) {
      release()
      return done()
    }
    request.uploadFolder = null
    rm(folder, { recursive: true, force: true })
      .catch((err: unknown) => ctx.log.warn({ err }, 'Uploaded files of a request could not be removed'))
      .finally(() => {
        release()
        done()
      })
  })
}

/**
 * Permits a request to write files, before its first one: counts it against the throttle of uploads, unless its route
 * policy already does, and reserves as many temporary bytes as its `Content-Length`.
 * @throws TooManyRequestsError; PayloadTooLargeError; ServiceUnavailableError
 */
export async function reserveUpload(
  ctx: Ctx,
  {
    request,
    reply,
    limit: { maxFileBytes, maxAccountBytes, temporaryBytes },
  }: { request: FastifyRequest; reply: FastifyReply; limit: UploadLimit },
): Promise<void> {
  if (request.uploadQuota) return
  const owner = request.viewer ? `account:${request.viewer.accountId}` : `ip:${networkPrefixOf(request.clientIp)}`
  if (!routePolicyOf(request)?.throttles.some(({ throttle }) => throttle === THROTTLES.media)) {
    await countUse(ctx, { request, reply, throttle: THROTTLES.media, key: owner })
  }
  const contentLength = request.headers['content-length']
  // A chunked body announces no length, and may contain one of the largest files.
  const bytes = contentLength === undefined ? maxFileBytes + MB : Number(contentLength)
  if (bytes > maxAccountBytes) throw new PayloadTooLargeError()
  try {
    request.uploadQuota = { bytesLeft: bytes, release: temporaryBytes.reserve({ owner, bytes }) }
  } catch (err) {
    // Another upload may end at any time and release its bytes.
    reply.header('retry-after', String(RETRY_SECONDS))
    throw err
  }
}

/** A part of a body that is a file. */
export interface UploadPart {
  file: NodeJS.ReadableStream & { bytesRead: number }
  filename: string
}

/**
 * Writes a part of a body to a file in the folder of the request.
 * @throws StorageFullError; StorageUnavailableError; PayloadTooLargeError if the request exceeds its reserved bytes
 */
export async function saveUpload(
  ctx: Ctx,
  { request, part }: { request: FastifyRequest; part: UploadPart },
): Promise<UploadedFile> {
  try {
    request.uploadFolder ??= await makeFolder(uploadsFolder(ctx))
    // The file name of the client must never become a path.
    const path = join(request.uploadFolder, String(request.uploadCount++))
    await pipeline(
      part.file,
      (body: AsyncIterable<Buffer>) => withinQuota(request, body),
      createWriteStream(path, { mode: 0o600 }),
    )
    return new UploadedFile({ path, filename: part.filename, byteSize: part.file.bytesRead })
  } catch (err) {
    throw toStorageError(err)
  }
}

/** Passes chunks on until the reserved bytes are used up: a chunked body announces no length. */
async function* withinQuota(request: FastifyRequest, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    const quota = request.uploadQuota
    if (!quota || (quota.bytesLeft -= chunk.length) < 0) throw new PayloadTooLargeError()
    yield chunk
  }
}

async function makeFolder(root: string): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  return mkdtemp(join(root, 'request-'))
}

/** Ignores folders that disappear in the meantime, since other processes remove them, too. */
async function removeStaleUploads(root: string): Promise<void> {
  const oldest = Date.now() - STALE_UPLOAD_HOURS * 3_600_000
  for (const name of await readdir(root).catch(() => [])) {
    const path = join(root, name)
    const stats = await stat(path).catch(() => null)
    if (stats !== null && stats.mtimeMs < oldest) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}
