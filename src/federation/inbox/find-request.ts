import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import type { ActivityFacts } from '../objects/read-activity.ts'
import { findKnownActor } from '../remote/actor.ts'
import { hostOf, idOf } from '../wire/read.ts'
import { isOurs } from '../remote/ask.ts'
import { embedded, findLocalId } from './incoming.ts'

/** A follow, or the request for one, by somebody here, of the very account that answers it. */
export interface AnsweredRequest {
  accountId: string
  targetAccountId: string
  /** Of the request, where the answer names it by an id of ours. */
  uri: string | undefined
}

const find = statement<{ params: { uri: string; targetId: string }; row: { account_id: string } }>(
  `select account_id from follow_requests where uri = $uri and target_account_id = $targetId
   union select account_id from follows where uri = $uri and target_account_id = $targetId limit 1`,
)

/**
 * Which request an Accept or a Reject answers: by its id, or as it is repeated there. Only the one who was asked can
 * answer, so null for any other, and for a follow that is none of ours.
 */
export async function findAnswered(ctx: Ctx, { actor, object }: ActivityFacts): Promise<AnsweredRequest | null> {
  const target = await findKnownActor(ctx, { uri: actor })
  if (!target || target.domain === null) return null
  const uri = object === null ? null : idOf(object)
  const [row] = uri === null ? [] : await find(ctx.db, { uri, targetId: target.id })
  if (row && uri !== null) return { accountId: row.account_id, targetAccountId: target.id, uri }

  const follow = embedded(object)
  if (!follow || idOf(follow['object']) !== actor) return null
  const accountId = await findLocalId(ctx, idOf(follow['actor']))
  // Some repeat what we sent under an id of their own. One of ours that is not stored any more was taken back.
  const isOwnId = uri !== null && isOurs(ctx, hostOf(uri) ?? '')
  return accountId === null || isOwnId ? null : { accountId, targetAccountId: target.id, uri: undefined }
}
