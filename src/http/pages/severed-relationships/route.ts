import { Readable } from 'node:stream'
import type { Ctx } from '../../../domain/context.ts'
import { exportSeveredFollows, listSeverances } from '../../../domain/relationships/severances/list-severances.ts'
import { IdParams } from '../../support/request/path-params.ts'
import { sendPage } from '../../support/response/send-page.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'
import { requireUser } from '../settings/own-account.ts'
import { paginateEntries, PostsQuery } from '../support/paginate-posts.ts'
import { severedRelationshipsPage } from './template.ts'

const SEVERANCES_PER_PAGE = 40

/** The follows that the user lost by blocks and suspensions (Mastodon: /severed_relationships). */
export async function severedRelationships(api: TypedFastify, ctx: Ctx): Promise<void> {
  const path = paths.severedRelationships
  api.get(path, { schema: { hide: true, querystring: PostsQuery } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: path })
    if (!user) return reply
    const { accountId } = user
    const { entries: severances, pages } = await paginateEntries(request.query, {
      path,
      perPage: SEVERANCES_PER_PAGE,
      read: (page) => listSeverances(ctx, { accountId, page }),
    })
    return sendPage(ctx, { request, reply, page: (frame) => severedRelationshipsPage(frame, { severances, pages }) })
  })

  for (const file of ['followers', 'following']) {
    api.get(`${path}/:id/${file}.csv`, { schema: { hide: true, params: IdParams } }, async (request, reply) => {
      const user = requireUser(request, { reply, page: path })
      if (!user) return reply
      const lines = await exportSeveredFollows(ctx, {
        accountId: user.accountId,
        severanceId: request.params.id,
        isFollower: file === 'followers',
      })
      reply.header('content-disposition', `attachment; filename="${file}.csv"`)
      return reply.type('text/csv; charset=utf-8').send(Readable.from(lines, { objectMode: false }))
    })
  }
}
