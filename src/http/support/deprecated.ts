import type { Ctx } from '../../domain/context.ts'
import type { Api } from '../api.ts'

/** When the API under its present name came out, in Unix seconds: 1 June 2026. */
const SINCE = Date.UTC(2026, 5, 1) / 1000

type File = (api: Api, ctx: Ctx) => Promise<void>

/** The same routes under a name that they once had: every answer says that it is out of date (RFC 9745). */
export function deprecated(file: File): File {
  return async (api, ctx) => {
    api.addHook('onRequest', async (_request, reply) => {
      reply.header('deprecation', `@${SINCE}`)
    })
    await file(api, ctx)
  }
}
