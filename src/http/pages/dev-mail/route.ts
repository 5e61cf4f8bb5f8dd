import type { Ctx } from '../../../domain/context.ts'
import { findUnsentMail, listUnsentMails } from '../../../domain/mails/outbox.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { viewerOf } from '../../support/auth/authorize-routes.ts'
import { sendPage } from '../../support/response/send-page.ts'
import { IdParams } from '../../support/request/path-params.ts'
import { mailListPage, mailPage } from './template.ts'
import { paths } from '../paths.ts'

const MAILS_ON_THE_PAGE = 200

/** The outbox for the owner: mails that are stored while no mail server is configured. */
export async function devMail(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.addHook('onRequest', async (request) => {
    if (ctx.smtp !== null || viewerOf(request).accountState !== 'usable') throw new NotFoundError()
  })

  api.get(paths.mail, { schema: { hide: true } }, async (request, reply) => {
    const rows = await listUnsentMails(ctx, { limit: MAILS_ON_THE_PAGE })
    const mails = rows.map(({ id, recipient: to, subject, createdAt: at }) => ({ id, to, subject, at }))
    return sendPage(ctx, { request, reply, page: (frame) => mailListPage(frame, { mails, now: ctx.now() }) })
  })

  api.get(`${paths.mail}/:id`, { schema: { hide: true, params: IdParams } }, async (request, reply) => {
    const { id, recipient: to, subject, text, createdAt: at } = await findUnsentMail(ctx, { id: request.params.id })
    const mail = { id, to, from: ctx.config.mailFrom.address, subject, text, at }
    return sendPage(ctx, { request, reply, page: (frame) => mailPage(frame, { mail, origin: ctx.config.origin }) })
  })
}
