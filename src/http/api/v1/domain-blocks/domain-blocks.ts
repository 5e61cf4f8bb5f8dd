import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { blockDomain } from '../../../../domain/relationships/domain-blocks/block-domain.ts'
import {
  countDomainFollows,
  listBlockedDomains,
} from '../../../../domain/relationships/domain-blocks/list-blocked-domains.ts'
import { unblockDomain } from '../../../../domain/relationships/domain-blocks/unblock-domain.ts'
import { DOMAIN_PAGE } from '../../../../lib/page.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { setLinkHeader, CURSOR_PAGINATION_PARAMS, readPage } from '../../../support/pagination/cursor-pagination.ts'

const DomainParams = Type.Object({
  domain: Type.Optional(Type.String({ description: 'Required. In any spelling; includes its subdomains.' })),
})

/** Mastodon: /api/v1/domain_blocks, GET /api/v1/domain_blocks/preview. The domains that the viewer blocks. */
export async function domainBlocks(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['blocks and mutes']

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View the domains that you block',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(Type.String()) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, DOMAIN_PAGE)
      const rows = await listBlockedDomains(ctx, { accountId, page })
      setLinkHeader(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
      return rows.map((row) => row.domain)
    },
  )

  api.get(
    '/preview',
    {
      schema: {
        tags,
        summary: 'Preview how many follows a domain block would remove',
        querystring: DomainParams,
        response: {
          200: Type.Object({ following_count: Type.Integer(), followers_count: Type.Integer() }),
        },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { domain = '' } = request.query
      const { following, followers } = await countDomainFollows(ctx, { accountId, domain })
      return { following_count: following, followers_count: followers }
    },
  )

  for (const [method, operation, summary] of [
    ['POST', blockDomain, 'Block a domain'],
    ['DELETE', unblockDomain, 'Unblock a domain'],
  ] as const) {
    api.route({
      method,
      url: '',
      schema: { tags, summary, body: DomainParams, response: { 200: Type.Object({}) } },
      handler: async (request) => {
        const { accountId } = viewerOf(request)
        const { domain = '' } = request.body
        await ctx.write((tx) => operation(tx, { accountId, domain }))
        return {}
      },
    })
  }
}
