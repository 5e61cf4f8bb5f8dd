import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import {
  createEmailDomainBlock,
  deleteEmailDomainBlock,
  getEmailDomainBlock,
  listEmailDomainBlocks,
} from '../../../../../domain/email-blocks/email-domain-blocks.ts'
import type { EmailDomainBlockRow } from '../../../../../domain/email-blocks/email-domain-blocks.ts'
import { AdminEmailDomainBlock } from '../../../../../entities/admin/sign-up-blocks/admin-email-domain-block.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { renderAdminEmailDomainBlocks } from '../../../../../render/admin/sign-up-blocks/render-admin-email-domain-blocks.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'

const BlockBody = Type.Object({
  domain: Type.Optional(Type.String({ description: 'Required. The block includes its subdomains.' })),
  allow_with_approval: Type.Optional(
    Type.Boolean({ description: 'New users await approval; otherwise sign-ups are refused, which is the default.' }),
  ),
})

/** Mastodon: /api/v1/admin/email_domain_blocks, /api/v1/admin/email_domain_blocks/:id */
export async function adminEmailDomainBlocks(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: e-mail domain blocks']
  const render = (blocks: readonly EmailDomainBlockRow[]) =>
    renderAdminEmailDomainBlocks(ctx, { blocks, now: ctx.now() })
  const renderOne = async (block: EmailDomainBlockRow) => (await render([block]))[0]!

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View all e-mail domain blocks',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(AdminEmailDomainBlock)) },
      },
    },
    async (request, reply): Promise<AdminEmailDomainBlock[]> => {
      const page = readPage(request.query, ADMIN_PAGE)
      const blocks = await listEmailDomainBlocks(ctx, { page })
      setLinkHeader(ctx, { request, reply, cursors: blocks.map(({ id }) => id), page, style: 'posts' })
      return render(blocks)
    },
  )

  api.get(
    '/:id',
    {
      schema: {
        tags,
        summary: 'View a single e-mail domain block',
        params: IdParams,
        response: { 200: ref(AdminEmailDomainBlock) },
      },
    },
    async (request) => renderOne(await getEmailDomainBlock(ctx, { id: request.params.id })),
  )

  api.post(
    '',
    {
      schema: {
        tags,
        summary: 'Block an e-mail domain',
        body: BlockBody,
        response: { 200: ref(AdminEmailDomainBlock) },
      },
    },
    async (request) => {
      const { domain = '', allow_with_approval: allowWithApproval = false } = request.body
      const input = { by: staffOf(request), domain, allowWithApproval }
      return renderOne(await ctx.write((tx) => createEmailDomainBlock(tx, input)))
    },
  )

  api.delete(
    '/:id',
    {
      schema: { tags, summary: 'Delete an e-mail domain block', params: IdParams, response: { 200: Type.Object({}) } },
    },
    async (request) => {
      await ctx.write((tx) => deleteEmailDomainBlock(tx, { id: request.params.id, by: staffOf(request) }))
      return {}
    },
  )
}
