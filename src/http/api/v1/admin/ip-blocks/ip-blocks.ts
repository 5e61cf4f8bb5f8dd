import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { getIpBlock, listIpBlocks } from '../../../../../domain/ip-blocks/list-ip-blocks.ts'
import { createIpBlock, deleteIpBlock, updateIpBlock } from '../../../../../domain/ip-blocks/write-ip-block.ts'
import type { IpBlockInput } from '../../../../../domain/ip-blocks/write-ip-block.ts'
import { AdminIpBlock, IpBlockSeverity } from '../../../../../entities/admin/sign-up-blocks/admin-ip-block.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { renderAdminIpBlock } from '../../../../../render/admin/sign-up-blocks/render-admin-ip-block.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'

const IpBlockBody = Type.Object({
  ip: Type.Optional(Type.String({ description: 'An address, or a range in CIDR notation. Required for a new block.' })),
  severity: Type.Optional(
    Type.With(IpBlockSeverity, {
      description:
        'New users await approval, sign-ups are refused, or all requests are refused with 403. Required for a new ' +
        'block; 422 if `no_access` would include your own address.',
    }),
  ),
  comment: Type.Optional(Type.String({ description: 'For the staff, at most 1000 characters.' })),
  expires_in: Type.Optional(
    Type.Integer({ 'x-null': 0, description: 'Seconds from now. 0 or empty: the block does not expire.' }),
  ),
})

/** Mastodon: /api/v1/admin/ip_blocks, /api/v1/admin/ip_blocks/:id */
export async function adminIpBlocks(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: IP blocks']
  // Checks for invalidations, so that this process applies a new block at once.
  const read = async (id: string): Promise<AdminIpBlock> => renderAdminIpBlock(await ctx.read(getIpBlock, { id }))

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View all IP blocks',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(AdminIpBlock)) },
      },
    },
    async (request, reply): Promise<AdminIpBlock[]> => {
      const page = readPage(request.query, ADMIN_PAGE)
      const blocks = await listIpBlocks(ctx, { page })
      setLinkHeader(ctx, { request, reply, cursors: blocks.map(({ id }) => id), page, style: 'posts' })
      return blocks.map(renderAdminIpBlock)
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'View a single IP block', params: IdParams, response: { 200: ref(AdminIpBlock) } } },
    async (request) => read(request.params.id),
  )

  api.post(
    '',
    { schema: { tags, summary: 'Block an IP address range', body: IpBlockBody, response: { 200: ref(AdminIpBlock) } } },
    async (request) => {
      const actor = { by: staffOf(request), callerIp: request.clientIp }
      const { id } = await ctx.write((tx) => createIpBlock(tx, { ...inputOf(request.body), ...actor }))
      return read(id)
    },
  )

  api.put(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Update an IP block',
        params: IdParams,
        body: IpBlockBody,
        response: { 200: ref(AdminIpBlock) },
      },
    },
    async (request) => {
      const { id } = request.params
      const actor = { by: staffOf(request), callerIp: request.clientIp }
      await ctx.write((tx) => updateIpBlock(tx, { id, ...inputOf(request.body), ...actor }))
      return read(id)
    },
  )

  api.delete(
    '/:id',
    { schema: { tags, summary: 'Delete an IP block', params: IdParams, response: { 200: Type.Object({}) } } },
    async (request) => {
      await ctx.write((tx) => deleteIpBlock(tx, { id: request.params.id, by: staffOf(request) }))
      return {}
    },
  )
}

function inputOf({ ip, severity, comment, expires_in }: Static<typeof IpBlockBody>): IpBlockInput {
  return { ip, severity, comment, expiresInSeconds: expires_in }
}
