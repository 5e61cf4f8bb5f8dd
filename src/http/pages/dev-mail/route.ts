import type { Ctx } from '../../../domain/context.ts'
import { findMail, listMails } from '../../../domain/mails/outbox.ts'
import { NotFound } from '../../../lib/errors.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { sendPage } from '../../support/page.ts'
import { ById } from '../../support/params.ts'
import { mailListPage, mailPage } from './template.ts'
import { paths } from '../paths.ts'

const MAILS_ON_THE_PAGE = 200

/** The mails that are stored while there is no mail server, for the owner. */
export async function devMail(api: Api, ctx: Ctx): Promise<void> {
  api.addHook('onRequest', async (request) => {
    if (ctx.smtp !== null || viewerOf(request).standing !== 'usable') throw new NotFound()
  })

  api.get(paths.mail, { schema: { hide: true } }, async (request, reply) => {
    const kept = await listMails(ctx, { limit: MAILS_ON_THE_PAGE })
    const mails = kept.map(({ id, recipient: to, subject, createdAt: at }) => ({ id, to, subject, at }))
    return sendPage(ctx, { request, reply, page: (frame) => mailListPage(frame, { mails, now: ctx.now() }) })
  })

  api.get(`${paths.mail}/:id`, { schema: { hide: true, params: ById } }, async (request, reply) => {
    const { id, recipient: to, subject, text, createdAt: at } = await findMail(ctx, { id: request.params.id })
    const one = { id, to, from: ctx.config.mailFrom, subject, text, at }
    return sendPage(ctx, { request, reply, page: (frame) => mailPage(frame, { mail: one, origin: ctx.config.origin }) })
  })
}
