import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { bookmarkStatus, unbookmarkStatus } from '../../../../domain/statuses/interactions/bookmark-status.ts'
import { reblogStatus, unreblogStatus } from '../../../../domain/statuses/interactions/reblog-status.ts'
import { favouriteStatus, unfavouriteStatus } from '../../../../domain/statuses/interactions/favourite-status.ts'
import { muteConversation, unmuteConversation } from '../../../../domain/statuses/interactions/mute-conversation.ts'
import { pinStatus, unpinStatus } from '../../../../domain/statuses/interactions/pin-status.ts'
import { oneOf } from '../../../../entities/schema/one-of.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { Status } from '../../../../entities/statuses/status.ts'
import { renderHiddenStatus } from '../../../../render/statuses/render-altered-status.ts'
import { renderStatus } from '../../../../render/statuses/render-statuses.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { showActionAllowance } from '../../../support/rate-limits/rate-limits.ts'
import { sendJson } from '../../../support/response/send.ts'
import { THROTTLES } from '../../../support/rate-limits/throttles.ts'

/**
 * Favourites, reblogs, bookmarks, pins a status, mutes its conversation, and undoes each of these. Every route returns
 * the status after the change. Mastodon: POST /api/v1/statuses/:id/{favourite,reblog,bookmark,pin,mute,un…}
 */
export async function statusActions(api: TypedFastify, ctx: Ctx): Promise<void> {
  const schemaOf = (summary: string) => ({
    tags: ['statuses'],
    summary,
    params: IdParams,
    response: { 200: ref(Status) },
  })

  for (const [action, operation, summary] of [
    ['favourite', favouriteStatus, 'Favourite a status'],
    ['bookmark', bookmarkStatus, 'Bookmark a status'],
    ['pin', pinStatus, 'Pin a status to your profile'],
    ['unpin', unpinStatus, 'Unpin a status from your profile'],
    ['mute', muteConversation, 'Mute the conversation of a status'],
    ['unmute', unmuteConversation, 'Unmute the conversation of a status'],
  ] as const) {
    api.post(`/:id/${action}`, { schema: schemaOf(summary) }, async (request, reply) => {
      const { accountId } = viewerOf(request)
      const id = await ctx.write((tx) => operation(tx, { accountId, statusId: request.params.id }))
      return sendJson(reply, await ctx.read(renderStatus, { id, viewerId: accountId }))
    })
  }

  for (const [action, undoOperation, summary] of [
    ['unfavourite', unfavouriteStatus, 'Undo favourite of a status'],
    ['unreblog', unreblogStatus, 'Undo boost of a status'],
    ['unbookmark', unbookmarkStatus, 'Undo bookmark of a status'],
  ] as const) {
    api.post(`/:id/${action}`, { schema: schemaOf(summary) }, async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { id, visible } = await ctx.write((tx) => undoOperation(tx, { accountId, statusId: request.params.id }))
      const target = { id, viewerId: accountId }
      return sendJson(reply, await (visible ? ctx.read(renderStatus, target) : ctx.read(renderHiddenStatus, target)))
    })
  }

  api.post(
    '/:id/reblog',
    {
      schema: {
        ...schemaOf('Boost a status'),
        body: Type.Object({
          visibility: Type.Optional(
            oneOf(['public', 'unlisted', 'private'], { description: 'Defaults to your posting default.' }),
          ),
        }),
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { visibility } = request.body
      // A reblog does not count as a post, but the response states how many posts are left.
      await showActionAllowance(ctx, { request, reply, throttle: THROTTLES.statuses, accountId })
      const id = await ctx.write((tx) => reblogStatus(tx, { accountId, statusId: request.params.id, visibility }))
      return sendJson(reply, await ctx.read(renderStatus, { id, viewerId: accountId }))
    },
  )
}
