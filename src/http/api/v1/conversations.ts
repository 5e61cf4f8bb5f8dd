import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { findConversation, readConversations } from '../../../domain/conversations/list.ts'
import { markConversation } from '../../../domain/conversations/mark.ts'
import { removeConversation } from '../../../domain/conversations/remove.ts'
import { Conversation } from '../../../entities/conversation.ts'
import { ref } from '../../../entities/ref.ts'
import { NotFound } from '../../../lib/errors.ts'
import { listJson } from '../../../lib/entity-json.ts'
import { STATUS_PAGE } from '../../../lib/page.ts'
import { renderConversations } from '../../../render/conversations/render-conversations.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../support/paginate.ts'
import { ById } from '../../support/params.ts'
import { sendJson } from '../../support/send.ts'

/** What the viewer and others write to nobody but each other. */
export async function conversations(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['conversations']

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'See my conversations',
        querystring: Type.Object(PAGING),
        response: { 200: Type.Array(ref(Conversation)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, STATUS_PAGE)
      const rows = await readConversations(ctx, { accountId, page })
      linkPages(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'posts' })
      return sendJson(reply, listJson(await ctx.read(renderConversations, { rows, viewerId: accountId })))
    },
  )

  for (const [path, unread, summary] of [
    ['/:id/read', false, 'Mark a conversation as read'],
    ['/:id/unread', true, 'Mark a conversation as unread'],
  ] as const) {
    api.post(
      path,
      { schema: { tags, summary, params: ById, response: { 200: ref(Conversation) } } },
      async (request, reply) => {
        const { accountId } = viewerOf(request)
        const { id } = request.params
        await ctx.write((tx) => markConversation(tx, { id, accountId, unread }))
        const row = await findConversation(ctx, { id, accountId })
        const [conversation] = await ctx.read(renderConversations, { rows: [row], viewerId: accountId })
        if (conversation === undefined) throw new NotFound()
        return sendJson(reply, conversation)
      },
    )
  }

  api.delete(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Take a conversation away until something new is written',
        params: ById,
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
