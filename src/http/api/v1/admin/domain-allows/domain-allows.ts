import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import {
  allowDomain,
  findDomainAllow,
  listDomainAllows,
  removeDomainAllow,
} from '../../../../../domain/domain-blocks/allow-domain.ts'
import { AdminDomainAllow } from '../../../../../entities/admin/federation/admin-domain-allow.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { DOMAIN_RULE_PAGE } from '../../../../../lib/page.ts'
import { renderAdminDomainAllow } from '../../../../../render/admin/federation/render-admin-domain-allow.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'

const NewAllow = Type.Object({
  domain: Type.Optional(Type.String({ description: 'Required. In any spelling.' })),
})

/** Mastodon: GET, POST and DELETE /api/v1/admin/domain_allows */
export async function adminDomainAllows(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: domain allows']
  const response = { 200: ref(AdminDomainAllow) }

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View all allowed domains',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(AdminDomainAllow)) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, DOMAIN_RULE_PAGE)
      const allows = await listDomainAllows(ctx, { page })
      setLinkHeader(ctx, { request, reply, cursors: allows.map(({ id }) => id), page, style: 'posts' })
      return allows.map(renderAdminDomainAllow)
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'View a single allowed domain', params: IdParams, response } },
    async (request) => renderAdminDomainAllow(await findDomainAllow(ctx, request.params)),
  )

  api.post('', { schema: { tags, summary: 'Allow a domain', body: NewAllow, response } }, async (request) => {
    const { domain = '' } = request.body
    const id = await ctx.write((tx) => allowDomain(tx, { by: staffOf(request), domain }))
    return renderAdminDomainAllow(await findDomainAllow(ctx, { id }))
  })

  api.delete(
    '/:id',
    { schema: { tags, summary: 'Remove an allowed domain', params: IdParams, response: { 200: Type.Object({}) } } },
    async (request) => {
      const { id } = request.params
      await ctx.write((tx) => removeDomainAllow(tx, { id, by: staffOf(request) }))
      return {}
    },
  )
}
