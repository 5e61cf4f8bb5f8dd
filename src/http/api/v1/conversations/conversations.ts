import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { findConversation, listConversations } from '../../../../domain/conversations/list-conversations.ts'
import { markConversation } from '../../../../domain/conversations/mark-conversation.ts'
import { removeConversation } from '../../../../domain/conversations/remove-conversation.ts'
import { Conversation } from '../../../../entities/statuses/conversation.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { NotFoundError } from '../../../../lib/errors.ts'
import { listJson } from '../../../../lib/json/entity-json.ts'
import { STATUS_PAGE } from '../../../../lib/page.ts'
import { renderConversations } from '../../../../render/conversations/render-conversations.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { setLinkHeader, CURSOR_PAGINATION_PARAMS, readPage } from '../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { sendJson } from '../../../support/response/send.ts'

/**
 * Mastodon: GET /api/v1/conversations, POST /api/v1/conversations/:id/{read,unread},
 * DELETE /api/v1/conversations/:id
 */
export async function conversations(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['conversations']

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View your conversations',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(Conversation)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, STATUS_PAGE)
      const rows = await listConversations(ctx, { accountId, page })
      setLinkHeader(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'posts' })
      return sendJson(reply, listJson(await ctx.read(renderConversations, { rows, viewerId: accountId })))
    },
  )

  for (const [path, unread, summary] of [
    ['/:id/read', false, 'Mark a conversation as read'],
    ['/:id/unread', true, 'Mark a conversation as unread'],
  ] as const) {
    api.post(
      path,
      { schema: { tags, summary, params: IdParams, response: { 200: ref(Conversation) } } },
      async (request, reply) => {
        const { accountId } = viewerOf(request)
        const { id } = request.params
        await ctx.write((tx) => markConversation(tx, { id, accountId, unread }))
        const row = await findConversation(ctx, { id, accountId })
        const [conversation] = await ctx.read(renderConversations, { rows: [row], viewerId: accountId })
        if (conversation === undefined) throw new NotFoundError()
        return sendJson(reply, conversation)
      },
    )
  }

  api.delete(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Remove a conversation until it gets a new post',
        params: IdParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => removeConversation(tx, { id: request.params.id, accountId }))
      return {}
    },
  )
}
