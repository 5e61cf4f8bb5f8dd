import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { bookmarkStatus, unbookmarkStatus } from '../../../../domain/statuses/bookmark.ts'
import { boostStatus, unboostStatus } from '../../../../domain/statuses/boost.ts'
import { favouriteStatus, unfavouriteStatus } from '../../../../domain/statuses/favourite.ts'
import { muteConversation, unmuteConversation } from '../../../../domain/statuses/mute-conversation.ts'
import { pinStatus, unpinStatus } from '../../../../domain/statuses/pin.ts'
import { oneOf } from '../../../../entities/one-of.ts'
import { ref } from '../../../../entities/ref.ts'
import { Status } from '../../../../entities/status.ts'
import { renderHiddenStatus } from '../../../../render/statuses/render-altered-status.ts'
import { renderStatus } from '../../../../render/statuses/render-statuses.ts'
import type { Api } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { ById } from '../../../support/params.ts'
import { showDeeds } from '../../../support/rate.ts'
import { sendJson } from '../../../support/send.ts'
import { THROTTLES } from '../../../support/throttles.ts'

/** What people do with a status. Each answers with the status as it is afterwards. */
export async function statusActions(api: Api, ctx: Ctx): Promise<void> {
  const describe = (summary: string) => ({ tags: ['statuses'], summary, params: ById, response: { 200: ref(Status) } })

  for (const [action, act, summary] of [
    ['favourite', favouriteStatus, 'Favourite a status'],
    ['bookmark', bookmarkStatus, 'Bookmark a status'],
    ['pin', pinStatus, 'Pin a status to my profile'],
    ['unpin', unpinStatus, 'Unpin a status'],
    ['mute', muteConversation, 'Mute the conversation of a status'],
    ['unmute', unmuteConversation, 'Unmute the conversation of a status'],
  ] as const) {
    api.post(`/:id/${action}`, { schema: describe(summary) }, async (request, reply) => {
      const { accountId } = viewerOf(request)
      const id = await ctx.write((tx) => act(tx, { accountId, statusId: request.params.id }))
      return sendJson(reply, await ctx.read(renderStatus, { id, viewerId: accountId }))
    })
  }

  for (const [action, undo, summary] of [
    ['unfavourite', unfavouriteStatus, 'Take a favourite back'],
    ['unreblog', unboostStatus, 'Take a boost back'],
    ['unbookmark', unbookmarkStatus, 'Remove a bookmark'],
  ] as const) {
    api.post(`/:id/${action}`, { schema: describe(summary) }, async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { id, visible } = await ctx.write((tx) => undo(tx, { accountId, statusId: request.params.id }))
      const shown = { id, viewerId: accountId }
      return sendJson(reply, await (visible ? ctx.read(renderStatus, shown) : ctx.read(renderHiddenStatus, shown)))
    })
  }

  api.post(
    '/:id/reblog',
    {
      schema: {
        ...describe('Boost a status'),
        body: Type.Object({
          visibility: Type.Optional(
            oneOf(['public', 'unlisted', 'private'], { description: 'Left out: as what one posts.' }),
          ),
        }),
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { visibility } = request.body
      // A boost counts as no post, but its answer tells how many are left.
      await showDeeds(ctx, { request, reply, throttle: THROTTLES.statuses, accountId })
      const id = await ctx.write((tx) => boostStatus(tx, { accountId, statusId: request.params.id, visibility }))
      return sendJson(reply, await ctx.read(renderStatus, { id, viewerId: accountId }))
    },
  )
}
