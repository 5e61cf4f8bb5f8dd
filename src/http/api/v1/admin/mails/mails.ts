import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { deleteMail, findMail, listMails, retryMail } from '../../../../../domain/mails/manage-mails.ts'
import { requestTestMail } from '../../../../../domain/mails/request-test-mail.ts'
import { AdminMail, MailState } from '../../../../../entities/admin/operations/admin-mail.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { renderAdminMail } from '../../../../../render/admin/operations/render-admin-mail.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'

/** Linnet's own: /api/v1/admin/mails. The mails that were not sent. */
export async function adminMails(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: operations']
  const response = { 200: ref(AdminMail) }

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View unsent mails',
        description: 'Newest first, without their texts.',
        querystring: Type.Object({ state: Type.Optional(MailState), ...CURSOR_PAGINATION_PARAMS }),
        response: { 200: Type.Array(ref(AdminMail)) },
      },
    },
    async (request, reply): Promise<AdminMail[]> => {
      const page = readPage(request.query, ADMIN_PAGE)
      const mails = await listMails(ctx, { state: request.query.state ?? null, page })
      const cursors = mails.map(({ id }) => id)
      setLinkHeader(ctx, { request, reply, cursors, page, carriedParams: ['state'], style: 'posts' })
      return mails.map((mail) => renderAdminMail(mail, { staff: staffOf(request) }))
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'View a single unsent mail, without its text', params: IdParams, response } },
    async (request) => renderAdminMail(await findMail(ctx, { id: request.params.id }), { staff: staffOf(request) }),
  )

  api.post(
    '/:id/retry',
    {
      schema: {
        tags,
        summary: 'Send a stored or failed mail',
        description: '422 for a queued mail, and if no mail server is configured.',
        params: IdParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      await retryMail(ctx, { id: request.params.id, by: staffOf(request) })
      return {}
    },
  )

  api.post(
    '/test',
    {
      schema: {
        tags,
        summary: 'Send a test mail to yourself',
        description: '422 if no mail server is configured, and, with its reason, if it accepts no connection.',
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      await requestTestMail(ctx, { by: staffOf(request) })
      return {}
    },
  )

  api.delete(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Delete an unsent mail',
        description: '422 while it is being sent.',
        params: IdParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      await ctx.write((tx) => deleteMail(tx, { id: request.params.id, by: staffOf(request) }))
      return {}
    },
  )
}
