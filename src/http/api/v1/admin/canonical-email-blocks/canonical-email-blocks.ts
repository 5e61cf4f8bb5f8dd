import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import {
  createCanonicalEmailBlock,
  deleteCanonicalEmailBlock,
  findCanonicalEmailBlocks,
  getCanonicalEmailBlock,
  listCanonicalEmailBlocks,
} from '../../../../../domain/email-blocks/canonical-email-blocks.ts'
import { AdminCanonicalEmailBlock } from '../../../../../entities/admin/sign-up-blocks/admin-canonical-email-block.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { renderAdminCanonicalEmailBlock } from '../../../../../render/admin/sign-up-blocks/render-admin-canonical-email-block.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'

/** Mastodon: /api/v1/admin/canonical_email_blocks, …/:id and …/test */
export async function adminCanonicalEmailBlocks(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: canonical e-mail blocks']
  const one = { 200: ref(AdminCanonicalEmailBlock) }
  const list = { 200: Type.Array(ref(AdminCanonicalEmailBlock)) }

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View all canonical e-mail blocks',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: list,
      },
    },
    async (request, reply): Promise<AdminCanonicalEmailBlock[]> => {
      const page = readPage(request.query, ADMIN_PAGE)
      const blocks = await listCanonicalEmailBlocks(ctx, { page })
      setLinkHeader(ctx, { request, reply, cursors: blocks.map(({ id }) => id), page, style: 'posts' })
      return blocks.map(renderAdminCanonicalEmailBlock)
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'View a single canonical e-mail block', params: IdParams, response: one } },
    async (request): Promise<AdminCanonicalEmailBlock> =>
      renderAdminCanonicalEmailBlock(await getCanonicalEmailBlock(ctx, { id: request.params.id })),
  )

  api.post(
    '/test',
    {
      schema: {
        tags,
        summary: 'View the blocks of an e-mail address',
        body: Type.Object({ email: Type.String() }),
        response: list,
      },
    },
    async (request): Promise<AdminCanonicalEmailBlock[]> =>
      (await findCanonicalEmailBlocks(ctx, { email: request.body.email })).map(renderAdminCanonicalEmailBlock),
  )

  api.post(
    '',
    {
      schema: {
        tags,
        summary: 'Block an e-mail address',
        body: Type.Object({
          email: Type.Optional(Type.String({ description: 'The address. Required without a hash.' })),
          canonical_email_hash: Type.Optional(
            Type.String({ description: 'The hash of the canonical address, in place of the address.' }),
          ),
        }),
        response: one,
      },
    },
    async (request): Promise<AdminCanonicalEmailBlock> => {
      const { email, canonical_email_hash: hash } = request.body
      const input = { by: staffOf(request), email, hash }
      return renderAdminCanonicalEmailBlock(await ctx.write((tx) => createCanonicalEmailBlock(tx, input)))
    },
  )

  api.delete(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Delete a canonical e-mail block',
        params: IdParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      await ctx.write((tx) => deleteCanonicalEmailBlock(tx, { id: request.params.id, by: staffOf(request) }))
      return {}
    },
  )
}
