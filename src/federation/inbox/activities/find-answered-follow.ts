import type { Ctx } from '../../../domain/context.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { ParsedActivity } from '../../objects/read/read-activity.ts'
import { findKnownActor } from '../../remote/actors/resolve-actor.ts'
import { hostOf, idOf } from '../../wire/read-values.ts'
import { isLocalDomain } from '../../remote/fetch/request-remote.ts'
import { embeddedObject, findLocalAccountId } from '../incoming-activity.ts'

/** A follow or follow request by a local account, of the account that responds to it. */
export interface AnsweredFollow {
  accountId: string
  targetAccountId: string
  /** The id of the Follow, if the response names it by the id that this server gave it. */
  uri: string | undefined
}

const find = statement<{ params: { uri: string; targetId: string }; row: { account_id: string } }>(
  `select account_id from follow_requests where uri = $uri and target_account_id = $targetId
   union select account_id from follows where uri = $uri and target_account_id = $targetId limit 1`,
)

/**
 * Returns the follow that an Accept or a Reject responds to, by its id or by the embedded Follow. Returns null if there
 * is no such follow by a local account, or if the actor is not the account to be followed.
 */
export async function findAnsweredFollow(ctx: Ctx, { actor, object }: ParsedActivity): Promise<AnsweredFollow | null> {
  const target = await findKnownActor(ctx, { uri: actor })
  if (!target || target.domain === null) return null
  const uri = object === null ? null : idOf(object)
  const [row] = uri === null ? [] : await find(ctx.db, { uri, targetId: target.id })
  if (row && uri !== null) return { accountId: row.account_id, targetAccountId: target.id, uri }

  const follow = embeddedObject(object)
  if (!follow || idOf(follow['object']) !== actor) return null
  const accountId = await findLocalAccountId(ctx, idOf(follow['actor']))
  // Some servers embed the Follow with an id of their own. An unknown id of this server is that of an undone Follow.
  const isLocalId = uri !== null && isLocalDomain(ctx, hostOf(uri) ?? '')
  return accountId === null || isLocalId ? null : { accountId, targetAccountId: target.id, uri: undefined }
}
