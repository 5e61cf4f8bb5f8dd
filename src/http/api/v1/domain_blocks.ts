import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { blockDomain } from '../../../domain/relationships/block-domain.ts'
import { countDomainFollows, readBlockedDomains } from '../../../domain/relationships/blocked-domains.ts'
import { unblockDomain } from '../../../domain/relationships/unblock-domain.ts'
import { DOMAIN_PAGE } from '../../../lib/page.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../support/paginate.ts'

const Named = Type.Object({
  domain: Type.Optional(Type.String({ description: 'Required. Any spelling; what is below it is meant too.' })),
})

/** The domains that the viewer blocks for themselves. */
export async function domainBlocks(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['blocks and mutes']

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'See which domains I block',
        querystring: Type.Object(PAGING),
        response: { 200: Type.Array(Type.String()) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, DOMAIN_PAGE)
      const rows = await readBlockedDomains(ctx, { accountId, page })
      linkPages(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
      return rows.map((row) => row.domain)
    },
  )

  api.get(
    '/preview',
    {
      schema: {
        tags,
        summary: 'See how many follows the block of a domain would end',
        querystring: Named,
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

  for (const [method, verb, summary] of [
    ['POST', blockDomain, 'Block a domain'],
    ['DELETE', unblockDomain, 'Unblock a domain'],
  ] as const) {
    api.route({
      method,
      url: '',
      schema: { tags, summary, body: Named, response: { 200: Type.Object({}) } },
      handler: async (request) => {
        const { accountId } = viewerOf(request)
        const { domain = '' } = request.body
        await ctx.write((tx) => verb(tx, { accountId, domain }))
        return {}
      },
    })
  }
}
