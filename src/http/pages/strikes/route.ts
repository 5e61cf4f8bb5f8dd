import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import {
  findOwnStrikes,
  findStrikePosts,
  getOwnStrike,
  listStrikes,
} from '../../../domain/moderation/strikes/list-strikes.ts'
import { MAX_APPEAL_CHARACTERS, submitAppeal } from '../../../domain/moderation/strikes/submit-appeal.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { IdParams } from '../../support/request/path-params.ts'
import { sendPage } from '../../support/response/send-page.ts'
import { paths } from '../paths.ts'
import { codeOf, problemsOf, requireUser } from '../settings/own-account.ts'
import { Field, formOf } from '../support/form-body.ts'
import { paginatePosts, PostsQuery } from '../support/paginate-posts.ts'
import { strikePage, strikePath, strikesPage } from './template.ts'
import type { StrikeInput } from './template.ts'

/** The strikes against the user's own account, and appeals against them (Mastodon: /disputes/strikes). */
export async function strikes(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.strikes, { schema: { hide: true, querystring: PostsQuery } }, async (request, reply) => {
    const viewer = requireUser(request, { reply, page: paths.strikes })
    if (!viewer) return reply
    const { accountId } = viewer
    const { ids, pages } = await paginatePosts(request.query, {
      path: paths.strikes,
      read: (page) => listStrikes(ctx, { accountId, page }),
    })
    const input = { strikes: await findOwnStrikes(ctx, { accountId, ids }), pages }
    return sendPage(ctx, { request, reply, page: (frame) => strikesPage(frame, input) })
  })

  api.get(`${paths.strikes}/:id`, { schema: { hide: true, params: IdParams } }, async (request, reply) => {
    const { id: strikeId } = request.params
    const viewer = requireUser(request, { reply, page: paths.strikes, path: strikePath(strikeId) })
    return viewer ? showStrike(ctx, { request, reply, viewer, strikeId }) : reply
  })

  api.post(
    `${paths.strikes}/:id`,
    { schema: { hide: true, params: IdParams, body: formOf({ text: Field }) } },
    async (request, reply) => {
      const { id: strikeId } = request.params
      const viewer = requireUser(request, { reply, page: paths.strikes, path: strikePath(strikeId) })
      if (!viewer) return reply
      const { accountId } = viewer
      const { text = '' } = request.body
      const errors = await problemsOf(ctx.write((tx) => submitAppeal(tx, { accountId, strikeId, text })))
      if (errors.length === 0) return reply.redirect(strikePath(strikeId), 303)
      return showStrike(ctx, { request, reply: codeOf(reply, errors), viewer, strikeId, value: text, errors })
    },
  )
}

async function showStrike(
  ctx: Ctx,
  {
    request,
    reply,
    viewer: { accountId },
    strikeId,
    ...entered
  }: { request: FastifyRequest; reply: FastifyReply; viewer: Viewer; strikeId: string } & Pick<
    StrikeInput,
    'value' | 'errors'
  >,
): Promise<FastifyReply> {
  const strike = await getOwnStrike(ctx, { accountId, strikeId })
  const posts = await findStrikePosts(ctx, { accountId, statusIds: strike.statusIds })
  const canAppeal = strike.appeal === null && ctx.now() <= strike.appealDeadline
  const input = { strike, posts, canAppeal, maxAppealCharacters: MAX_APPEAL_CHARACTERS, ...entered }
  return sendPage(ctx, { request, reply, page: (frame) => strikePage(frame, input) })
}
