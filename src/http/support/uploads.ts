import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import { OutOfStorage } from '../../lib/errors.ts'
import { isFull } from '../../platform/storage/is-full.ts'
import { UploadedFile } from './files.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the files of this request lie; null while there are none. */
    uploadFolder: string | null
    uploadCount: number
  }
}

/** No request takes that long: what is older was left by a process that died. */
const LEFT_OVER_HOURS = 24

/** On the disk of the data folder, since the system's own folder for such things is often kept in memory. */
function uploadsFolder({ config }: Ctx): string {
  return join(config.dataDir, 'uploads')
}

/** Sees to it that the files of a request are gone when it is answered, also if its client did not wait for that. */
export function dropUploads(app: FastifyInstance, ctx: Ctx): void {
  app.decorateRequest('uploadFolder', null)
  app.decorateRequest('uploadCount', 0)
  app.addHook('onReady', async () => sweep(uploadsFolder(ctx)))
  // Not onResponse: that is only called for an answer that reached its end.
  app.addHook('onSend', (request, _reply, _payload, done) => {
    const folder = request.uploadFolder
    if (folder === null) return done()
    request.uploadFolder = null
    rm(folder, { recursive: true, force: true })
      .catch((err: unknown) => ctx.log.warn({ err }, 'the files of a request could not be removed'))
      .finally(done)
  })
}

/**
 * Writes a part of a body to a file of the request's own folder.
 * @throws OutOfStorage
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
    await pipeline(part.file, createWriteStream(path, { mode: 0o600 }))
    return new UploadedFile({ path, filename: part.filename, byteSize: part.file.bytesRead })
  } catch (err) {
    throw isFull(err) ? new OutOfStorage() : err
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
