import type { Ctx } from '../domain/context.ts'
import { findConversation } from '../domain/conversations/list.ts'
import type { ConversationNews } from '../domain/stream-news.ts'
import { NotFound } from '../lib/errors.ts'
import { renderConversations } from '../render/conversations/render-conversations.ts'
import type { Audience } from './audience.ts'
import { Message } from './message.ts'

const nothing = () => {}

/** A conversation that got something new, for nobody but whose it is. */
export async function prepareConversation(
  ctx: Ctx,
  { audience, news }: { audience: Audience; news: ConversationNews },
): Promise<() => void> {
  const { accountId, conversationId } = news
  const row = await findConversation(ctx, { id: conversationId, accountId }).catch((err: unknown) => {
    if (err instanceof NotFound) return null
    throw err
  })
  if (row === null) return nothing
  const [conversation] = await ctx.read(renderConversations, { rows: [row], viewerId: accountId })
  if (conversation === undefined) return nothing
  const message = new Message('conversation', conversation)
  return () => audience.tell({ message, channels: ['direct'], accountIds: [accountId] })
}
