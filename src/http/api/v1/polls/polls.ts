import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { findVisiblePoll } from '../../../../domain/polls/find-visible-poll.ts'
import { refreshPoll } from '../../../../domain/polls/refresh-poll.ts'
import { voteInPoll } from '../../../../domain/polls/vote-in-poll.ts'
import { Poll } from '../../../../entities/statuses/poll.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { renderPoll } from '../../../../render/polls/render-polls.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { IdParams } from '../../../support/request/path-params.ts'

/** The index of a poll option in a request. */
const OPTION_INDEX = /^\d{1,4}$/

/** Mastodon: GET /api/v1/polls/:id, POST /api/v1/polls/:id/votes */
export async function polls(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['polls']

  api.get(
    '/:id',
    {
      schema: {
        tags,
        summary: 'View a poll',
        description:
          'For authenticated requests, the votes of a remote poll are fetched again, unless they are recent.',
        params: IdParams,
        response: { 200: ref(Poll) },
      },
    },
    async (request) => {
      const viewerId = request.viewer?.accountId ?? null
      const { id, local } = await findVisiblePoll(ctx, { id: request.params.id, viewerId })
      // An anonymous request must not cause requests to other servers.
      if (!local && viewerId !== null) await refreshPoll(ctx, { pollId: id })
      return renderPoll(ctx, { id, viewerId })
    },
  )

  api.post(
    '/:id/votes',
    {
      schema: {
        tags,
        summary: 'Vote in a poll',
        params: IdParams,
        body: Type.Object({
          choices: Type.Optional(Type.Array(Type.String(), { description: 'Indexes of the options, from 0.' })),
        }),
        response: { 200: ref(Poll) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { id: pollId } = request.params
      const choices = (request.body.choices ?? []).map((choice) => (OPTION_INDEX.test(choice) ? Number(choice) : -1))
      await ctx.write((tx) => voteInPoll(tx, { accountId, pollId, choices }))
      return renderPoll(ctx, { id: pollId, viewerId: accountId })
    },
  )
}
