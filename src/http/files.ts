import type { Ctx } from '../domain/context.ts'
import { NotFound } from '../lib/errors.ts'
import { contentTypeOf, STORAGE_URL_PREFIX } from '../platform/storage/storage.ts'
import type { Api } from './api.ts'
import { sendStored } from './support/send-stored.ts'

/** Files of people: pictures as they were written anew at their upload, of a type that their name fixes. */
export async function files(api: Api, ctx: Ctx): Promise<void> {
  api.get(`${STORAGE_URL_PREFIX}*`, { schema: { hide: true } }, async (request, reply) => {
    const key = (request.params as { '*': string })['*']
    if (contentTypeOf(key) === null || !(await sendStored(ctx, { request, reply, key }))) throw new NotFound()
    return reply
  })
}
