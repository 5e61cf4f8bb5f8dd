import type { Ctx } from '../../../domain/context.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { listClients } from '../../files/clients/find-client-file.ts'
import { sendPublicPage } from '../../support/response/send-page.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'
import { clientsPage } from './template.ts'

/** The list of the third-party clients that this server serves. */
export async function clients(api: TypedFastify, ctx: Ctx): Promise<void> {
  const { clientsDir } = ctx.config

  api.get(paths.clients, { schema: { hide: true } }, async (request, reply) => {
    if (clientsDir === null) throw new NotFoundError()
    const names = await listClients(clientsDir)
    return sendPublicPage(ctx, { request, reply, page: (frame) => clientsPage(frame, { names }) })
  })
}
