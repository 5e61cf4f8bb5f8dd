import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import {
  createUsernameBlock,
  deleteUsernameBlock,
  getUsernameBlock,
  listUsernameBlocks,
  updateUsernameBlock,
} from '../../../../../domain/username-blocks/username-blocks.ts'
import type { UsernameBlockInput } from '../../../../../domain/username-blocks/username-blocks.ts'
import {
  AdminUsernameBlock,
  UsernameComparison,
} from '../../../../../entities/admin/sign-up-blocks/admin-username-block.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { renderAdminUsernameBlock } from '../../../../../render/admin/sign-up-blocks/render-admin-username-block.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'

const BlockBody = Type.Object({
  username: Type.Optional(
    Type.String({ description: 'Letters, digits and underscores, at most 30. Required for a new block.' }),
  ),
  comparison: Type.Optional(
    Type.With(UsernameComparison, {
      description: '`equals`, which is the default: the whole username; `contains`: any part of it.',
    }),
  ),
  allow_with_approval: Type.Optional(
    Type.Boolean({ description: 'New users await approval; otherwise sign-ups are refused, which is the default.' }),
  ),
})

/** Linnet's own: /api/v1/admin/username_blocks, /api/v1/admin/username_blocks/:id */
export async function adminUsernameBlocks(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: username blocks']
  const read = async (id: string): Promise<AdminUsernameBlock> =>
    renderAdminUsernameBlock(await getUsernameBlock(ctx, { id }))

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View all username blocks',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(AdminUsernameBlock)) },
      },
    },
    async (request, reply): Promise<AdminUsernameBlock[]> => {
      const page = readPage(request.query, ADMIN_PAGE)
      const blocks = await listUsernameBlocks(ctx, { page })
      setLinkHeader(ctx, { request, reply, cursors: blocks.map(({ id }) => id), page, style: 'posts' })
      return blocks.map(renderAdminUsernameBlock)
    },
  )

  api.get(
    '/:id',
    {
      schema: {
        tags,
        summary: 'View a single username block',
        params: IdParams,
        response: { 200: ref(AdminUsernameBlock) },
      },
    },
    async (request) => read(request.params.id),
  )

  api.post(
    '',
    { schema: { tags, summary: 'Block a username', body: BlockBody, response: { 200: ref(AdminUsernameBlock) } } },
    async (request) => {
      const input = { ...inputOf(request.body), by: staffOf(request) }
      const { id } = await ctx.write((tx) => createUsernameBlock(tx, input))
      return read(id)
    },
  )

  api.put(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Update a username block',
        params: IdParams,
        body: BlockBody,
        response: { 200: ref(AdminUsernameBlock) },
      },
    },
    async (request) => {
      const { id } = request.params
      await ctx.write((tx) => updateUsernameBlock(tx, { id, ...inputOf(request.body), by: staffOf(request) }))
      return read(id)
    },
  )

  api.delete(
    '/:id',
    { schema: { tags, summary: 'Delete a username block', params: IdParams, response: { 200: Type.Object({}) } } },
    async (request) => {
      await ctx.write((tx) => deleteUsernameBlock(tx, { id: request.params.id, by: staffOf(request) }))
      return {}
    },
  )
}

function inputOf({ allow_with_approval, ...others }: Static<typeof BlockBody>): UsernameBlockInput {
  return { ...others, allowWithApproval: allow_with_approval }
}
