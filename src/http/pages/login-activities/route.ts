import { listLoginActivities } from '../../../domain/auth/login-activities.ts'
import type { Ctx } from '../../../domain/context.ts'
import { sendPage } from '../../support/response/send-page.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'
import { requireUser } from '../settings/own-account.ts'
import { paginateEntries, PostsQuery } from '../support/paginate-posts.ts'
import { loginActivitiesPage } from './template.ts'

const ACTIVITIES_PER_PAGE = 40

/** The log-ins of the user in the last year (Mastodon: /settings/login_activities). */
export async function loginActivities(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.loginActivities, { schema: { hide: true, querystring: PostsQuery } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.loginActivities })
    if (!user) return reply
    const { userId } = user
    const { entries: activities, pages } = await paginateEntries(request.query, {
      path: paths.loginActivities,
      perPage: ACTIVITIES_PER_PAGE,
      read: (page) => listLoginActivities(ctx, { userId, page }),
    })
    return sendPage(ctx, { request, reply, page: (frame) => loginActivitiesPage(frame, { activities, pages }) })
  })
}
