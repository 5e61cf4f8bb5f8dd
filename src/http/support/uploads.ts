import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import { OutOfStorage, TooLarge } from '../../lib/errors.ts'
import { networkOf } from '../../lib/network.ts'
import { isFull } from '../../platform/storage/is-full.ts'
import { accessOf } from './authorise.ts'
import { UploadedFile } from './files.ts'
import { countAgainst } from './rate.ts'
import type { TemporaryBytes } from './temporary-bytes.ts'
import { THROTTLES } from './throttles.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the files of this request lie; null while there are none. */
    uploadFolder: string | null
    uploadCount: number
    /** The bytes that its files may have; null before the first one. `release` is called when the files are gone. */
    uploadQuota: { bytesLeft: number; release(): void } | null
  }
}

/** No request takes that long: what is older was left by a process that died. */
const LEFT_OVER_HOURS = 24

const MB = 1_048_576
/** The largest file that any route takes. */
export const MAX_FILE_BYTES = 99 * MB
/** Of one account in this process at once: two of the largest files, with the fields beside them. */
export const MAX_TEMPORARY_BYTES_PER_ACCOUNT = 2 * (MAX_FILE_BYTES + MB)
/** Of all accounts in this process at once. */
export const MAX_TEMPORARY_BYTES = 1_024 * MB
/** A body that does not say how long it is may have one of the largest files. */
const MAX_UNANNOUNCED_BYTES = MAX_FILE_BYTES + MB
const RETRY_SECONDS = 10

/** On the disk of the data folder, since the system's own folder for such things is often kept in memory. */
function uploadsFolder({ config }: Ctx): string {
  return join(config.dataDir, 'uploads')
}

/** Sees to it that the files of a request are gone when it is answered, also if its client did not wait for that. */
export function dropUploads(app: FastifyInstance, ctx: Ctx): void {
  app.decorateRequest('uploadFolder', null)
  app.decorateRequest('uploadCount', 0)
  app.decorateRequest('uploadQuota', null)
  app.addHook('onReady', async () => sweep(uploadsFolder(ctx)))
  // Not onResponse: that is only called for an answer that reached its end.
  app.addHook('onSend', (request, _reply, _payload, done) => {
    const folder = request.uploadFolder
    const release = () => request.uploadQuota?.release()
    if (folder === null) {
      release()
      return done()
    }
    request.uploadFolder = null
    rm(folder, { recursive: true, force: true })
      .catch((err: unknown) => ctx.log.warn({ err }, 'the files of a request could not be removed'))
      .finally(() => {
        release()
        done()
      })
  })
}

/**
 * Lets a request write files, before its first one is: counts it against the throttle of uploads, unless its route does
 * so, and reserves as many temporary bytes as the request has announced.
 * @throws TooManyRequests · TooLarge · Unavailable
 */
export async function admitFiles(
  ctx: Ctx,
  { request, reply, temporaryBytes }: { request: FastifyRequest; reply: FastifyReply; temporaryBytes: TemporaryBytes },
): Promise<void> {
  if (request.uploadQuota) return
  const owner = request.viewer ? `account:${request.viewer.accountId}` : `ip:${networkOf(request.ip)}`
  if (!accessOf(request)?.throttles.some(({ throttle }) => throttle === THROTTLES.media)) {
    await countAgainst(ctx, { request, reply, throttle: THROTTLES.media, key: owner })
  }
  const announced = request.headers['content-length']
  const bytes = announced === undefined ? MAX_UNANNOUNCED_BYTES : Number(announced)
  if (bytes > MAX_TEMPORARY_BYTES_PER_ACCOUNT) throw new TooLarge()
  try {
    request.uploadQuota = { bytesLeft: bytes, release: temporaryBytes.reserve({ owner, bytes }) }
  } catch (err) {
    // An upload before this one may end at any time.
    reply.header('retry-after', String(RETRY_SECONDS))
    throw err
  }
}

/**
 * Writes a part of a body to a file of the request's own folder.
 * @throws OutOfStorage · TooLarge beyond the bytes that the request may write
 */
export async function keepFile(
  ctx: Ctx,
  {
    request,
    part,
  }: { request: FastifyRequest; part: { file: NodeJS.ReadableStream & { bytesRead: number }; filename: string } },
): Promise<UploadedFile> {
  try {
    request.uploadFolder ??= await makeFolder(uploadsFolder(ctx))
    // The client's name never becomes a path.
    const path = join(request.uploadFolder, String(request.uploadCount++))
    await pipeline(
      part.file,
      (body: AsyncIterable<Buffer>) => withinQuota(request, body),
      createWriteStream(path, { mode: 0o600 }),
    )
    return new UploadedFile({ path, filename: part.filename, byteSize: part.file.bytesRead })
  } catch (err) {
    throw isFull(err) ? new OutOfStorage() : err
  }
}

/** What comes in chunks has announced no length, and is held to one all the same. */
async function* withinQuota(request: FastifyRequest, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    const quota = request.uploadQuota
    if (!quota || (quota.bytesLeft -= chunk.length) < 0) throw new TooLarge()
    yield chunk
  }
}

async function makeFolder(root: string): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  return mkdtemp(join(root, 'request-'))
}

/** A folder that vanishes meanwhile was removed by another process. */
async function sweep(root: string): Promise<void> {
  const oldest = Date.now() - LEFT_OVER_HOURS * 3_600_000
  for (const name of await readdir(root).catch(() => [])) {
    const path = join(root, name)
    const stats = await stat(path).catch(() => null)
    if (stats !== null && stats.mtimeMs < oldest) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}
