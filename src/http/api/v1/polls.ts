import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { findVisiblePoll } from '../../../domain/polls/find.ts'
import { refreshPoll } from '../../../domain/polls/refresh.ts'
import { voteInPoll } from '../../../domain/polls/vote.ts'
import { Poll } from '../../../entities/poll.ts'
import { ref } from '../../../entities/ref.ts'
import { renderPoll } from '../../../render/polls/render-polls.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { ById } from '../../support/params.ts'

/** A place in a list; everything else is no place in any list. */
const PLACE = /^\d{1,4}$/

/** Polls, and voting in them. */
export async function polls(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['polls']

  api.get(
    '/:id',
    {
      schema: {
        tags,
        summary: 'See a poll',
        description: 'Of a poll of another server the votes are asked for there first, if that was not done lately.',
        params: ById,
        response: { 200: ref(Poll) },
      },
    },
    async (request) => {
      const viewerId = request.viewer?.accountId ?? null
      const { id, local } = await findVisiblePoll(ctx, { id: request.params.id, viewerId })
      // Nobody unknown makes this server ask another one.
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
        params: ById,
        body: Type.Object({
          choices: Type.Optional(Type.Array(Type.String(), { description: 'Places of the options, from 0.' })),
        }),
        response: { 200: ref(Poll) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { id: pollId } = request.params
      const choices = (request.body.choices ?? []).map((choice) => (PLACE.test(choice) ? Number(choice) : -1))
      await ctx.write((tx) => voteInPoll(tx, { accountId, pollId, choices }))
      return renderPoll(ctx, { id: pollId, viewerId: accountId })
    },
  )
}
