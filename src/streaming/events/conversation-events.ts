import type { Ctx } from '../../domain/context.ts'
import { findConversation } from '../../domain/conversations/list-conversations.ts'
import type { ConversationMessage } from '../../domain/core/stream-topics.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { renderConversations } from '../../render/conversations/render-conversations.ts'
import type { ConnectionRegistry } from '../connections/connection-registry.ts'
import { StreamMessage } from '../connections/stream-message.ts'

const noEvent = () => {}

/** Prepares the `conversation` event for the owner of an updated conversation. */
export async function prepareConversationEvent(
  ctx: Ctx,
  { connections, event }: { connections: ConnectionRegistry; event: ConversationMessage },
): Promise<() => void> {
  const { accountId, conversationId } = event
  const row = await findConversation(ctx, { id: conversationId, accountId }).catch((err: unknown) => {
    if (err instanceof NotFoundError) return null
    throw err
  })
  if (row === null) return noEvent
  const [conversation] = await ctx.read(renderConversations, { rows: [row], viewerId: accountId })
  if (conversation === undefined) return noEvent
  const message = new StreamMessage('conversation', conversation)
  return () => connections.send({ message, channels: ['direct'], accountIds: [accountId] })
}
