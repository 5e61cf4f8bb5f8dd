import { endOtherSessions, endSession, listSessions } from '../../../domain/auth/list-sessions.ts'
import type { Ctx } from '../../../domain/context.ts'
import { sessionSecretOf } from '../../support/auth/session.ts'
import { IdParams } from '../../support/request/path-params.ts'
import { sendPage } from '../../support/response/send-page.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'
import { requireUser } from '../settings/own-account.ts'
import { formOf } from '../support/form-body.ts'
import { sessionsPage } from './template.ts'

/** The user's sessions, which the user can end (Mastodon: DELETE /settings/sessions/:id). */
export async function sessions(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.sessions, { schema: { hide: true } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.sessions })
    if (!user) return reply
    const listed = await listSessions(ctx, {
      userId: user.userId,
      sessionId: sessionSecretOf(ctx, request)!,
      now: ctx.now(),
    })
    return sendPage(ctx, { request, reply, page: (frame) => sessionsPage(frame, { sessions: listed }) })
  })

  api.post(paths.endOtherSessions, { schema: { hide: true, body: formOf({}) } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.sessions })
    if (!user) return reply
    const { userId } = user
    await ctx.write((tx) => endOtherSessions(tx, { userId, sessionId: sessionSecretOf(ctx, request)! }))
    return reply.redirect(paths.sessions, 303)
  })

  api.post(
    `${paths.sessions}/:id`,
    { schema: { hide: true, params: IdParams, body: formOf({}) } },
    async (request, reply) => {
      const user = requireUser(request, { reply, page: paths.sessions })
      if (!user) return reply
      const { userId } = user
      await ctx.write((tx) => endSession(tx, { userId, id: request.params.id }))
      return reply.redirect(paths.sessions, 303)
    },
  )
}
