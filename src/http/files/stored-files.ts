import type { Ctx } from '../../domain/context.ts'
import { ARCHIVES_FOLDER } from '../../domain/transfers/archives/account-archives.ts'
import { isFileHidden } from '../../domain/media/restrict-files.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { contentTypeOf, STORAGE_URL_PREFIX } from '../../platform/storage/storage.ts'
import type { TypedFastify } from '../typed-fastify.ts'
import { sendStoredFile } from '../support/response/send-stored-file.ts'

/**
 * Serves uploaded files, except archives and those of suspended accounts. Images were re-encoded when they were
 * uploaded; the content type follows from the key.
 */
export async function storedFiles(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(`${STORAGE_URL_PREFIX}*`, { schema: { hide: true } }, async (request, reply) => {
    const key = (request.params as { '*': string })['*']
    if (contentTypeOf(key) === null || key.startsWith(ARCHIVES_FOLDER) || (await isFileHidden(ctx, { key })))
      throw new NotFoundError()
    if (!(await sendStoredFile(ctx, { request, reply, key }))) throw new NotFoundError()
    return reply
  })
}
