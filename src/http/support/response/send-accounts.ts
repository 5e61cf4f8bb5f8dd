import type { FastifyReply } from 'fastify'
import type { CachedRead } from '../../../domain/context.ts'
import { streamAccounts } from '../../../render/accounts/stream-accounts.ts'
import { sendJsonChunks } from './send.ts'

/** Sends the accounts in the order of the ids, of which there may be as many as a user follows. */
export async function sendAccounts(
  read: CachedRead,
  { reply, ids }: { reply: FastifyReply; ids: readonly string[] },
): Promise<FastifyReply> {
  return sendJsonChunks(reply, streamAccounts(read, { ids }))
}
