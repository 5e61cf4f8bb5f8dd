import { createHash } from 'node:crypto'
import type { Ctx, Tx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import {
  writeAccept,
  writeBlock,
  writeFollow,
  writeReject,
  writeUndoBlock,
  writeUndoFollow,
} from '../objects/write/write-activities.ts'
import type { Activity, Relationship } from '../objects/write/write-activities.ts'
import { instanceActorUri } from '../objects/uris.ts'
import { cancelEarlierUndos, cancelUndone } from './cancel-superseded.ts'
import { sendActivity } from './send-activity.ts'

/** The account that acts or acted, and the account that it acts on. */
interface Pair {
  accountId: string
  targetAccountId: string
}

interface ActorUris {
  actor: string
  object: string
}

/** Selects the ids of both actors, if the first one is local and the second one is remote. */
const findActorUris = statement<{ params: { accountId: string; targetAccountId: string }; row: ActorUris }>(
  `select a.uri as actor, t.uri as object from accounts a, accounts t
   where a.id = $accountId and a.domain is null and t.id = $targetAccountId and t.domain is not null`,
)

/** Does the same for the instance actor, whose id is given, and a remote one. */
const findRemoteUri = statement<{ params: { actor: string; accountId: string }; row: ActorUris; notNull: 'actor' }>(
  `select $actor as actor, uri as object from accounts where id = $accountId and domain is not null`,
)

const lockRow = (table: string) =>
  statement<{ params: { accountId: string; targetAccountId: string }; row: { id: string; uri: string | null } }>(
    `select id, uri from ${table} where account_id = $accountId and target_account_id = $targetAccountId for key share`,
  )
const lockRequest = lockRow('follow_requests')
const lockBlock = lockRow('blocks')

/** Effect: sends a Follow to a remote account, even if its host is unavailable. */
export async function deliverFollow(ctx: Ctx, pair: Pair): Promise<void> {
  const [actorUris] = await findActorUris(ctx.db, { accountId: pair.accountId, targetAccountId: pair.targetAccountId })
  if (!actorUris) return
  await ctx.write(async (tx) => {
    const [request] = await lockRequest(tx.db, { accountId: pair.accountId, targetAccountId: pair.targetAccountId })
    if (!request) return
    const activity = writeFollow({ ...actorUris, ...request })
    await sendToAccount(tx, { ...pair, activity, evenIfUnavailable: true })
    await cancelEarlierUndos(tx, { uris: [activity.uri] })
  })
}

/** Effect: sends the Block of a remote account. */
export async function deliverBlock(ctx: Ctx, pair: Pair): Promise<void> {
  const [actorUris] = await findActorUris(ctx.db, { accountId: pair.accountId, targetAccountId: pair.targetAccountId })
  if (!actorUris) return
  await ctx.write(async (tx) => {
    const [block] = await lockBlock(tx.db, { accountId: pair.accountId, targetAccountId: pair.targetAccountId })
    if (!block) return
    const activity = writeBlock({ ...actorUris, ...block })
    await sendToAccount(tx, { ...pair, activity })
    await cancelEarlierUndos(tx, { uris: [activity.uri] })
  })
}

type UndoneRelationship = Pair & { uri: string | null }

/**
 * Effect: sends the Undo of a Follow to a remote account, also to a suspended one, whose server has to know that it has
 * ended. Without a `uri` the Follow was never sent.
 */
export async function deliverUndoFollow(ctx: Ctx, undone: UndoneRelationship): Promise<void> {
  await deliverUndo(ctx, { ...undone, evenIfSuspended: true }, writeUndoFollow)
}

/**
 * Sends the Undo of a Follow that only the server of a remote account knows. The embedded Follow has an id of its own, so
 * its actor and its object identify it.
 */
export async function sendUndoOfUnknownFollow(tx: Tx, pair: Pair): Promise<void> {
  const [actorUris] = await findActorUris(tx.db, { accountId: pair.accountId, targetAccountId: pair.targetAccountId })
  if (!actorUris) return
  const id = requestKeyOf(`${actorUris.actor} ${actorUris.object}`)
  await sendToAccount(tx, { ...pair, activity: writeUndoFollow({ ...actorUris, id, uri: null }), resend: true })
}

/** Effect: sends the Undo of a Block to a remote account. */
export async function deliverUndoBlock(ctx: Ctx, undone: UndoneRelationship): Promise<void> {
  await deliverUndo(ctx, undone, writeUndoBlock)
}

async function deliverUndo(
  ctx: Ctx,
  { uri, evenIfSuspended = false, ...pair }: UndoneRelationship & { evenIfSuspended?: boolean },
  write: (relationship: Relationship) => Activity,
): Promise<void> {
  if (uri === null) return
  const [actorUris] = await findActorUris(ctx.db, { accountId: pair.accountId, targetAccountId: pair.targetAccountId })
  if (!actorUris) return
  const activity = write({ ...actorUris, id: requestKeyOf(uri), uri })
  await ctx.write(async (tx) => {
    await cancelUndone(tx, { uri })
    await sendToAccount(tx, { ...pair, activity, evenIfSuspended })
  })
}

/** Effect: sends the Accept of a remote account's Follow, again for each repeated request. */
export async function deliverAccept(ctx: Ctx, request: UndoneRelationship): Promise<void> {
  await deliverResponse(ctx, request, writeAccept)
}

/** Effect: sends the Reject of a remote account's Follow, whether it was pending or accepted. */
export async function deliverReject(ctx: Ctx, request: ReceivedFollow): Promise<void> {
  await deliverResponse(ctx, request, writeReject, { evenIfSuspended: true })
}

/** A Follow that is answered; `targetAccountId`: null for the instance actor. */
interface ReceivedFollow {
  accountId: string
  targetAccountId: string | null
  uri: string | null
}

/** Sends a response to a Follow. The account that requested is remote, the account that responds is local. */
async function deliverResponse(
  ctx: Ctx,
  { accountId: requesterId, targetAccountId: responderId, uri }: ReceivedFollow,
  write: (relationship: Relationship) => Activity,
  { evenIfSuspended = false }: { evenIfSuspended?: boolean } = {},
): Promise<void> {
  const [actorUris] =
    responderId === null
      ? await findRemoteUri(ctx.db, { actor: instanceActorUri(ctx.config), accountId: requesterId })
      : await findActorUris(ctx.db, { accountId: responderId, targetAccountId: requesterId })
  if (!actorUris) return
  const follow = { actor: actorUris.object, object: actorUris.actor, uri }
  const activity = write({ ...follow, id: requestKeyOf(uri ?? `${follow.actor} ${follow.object}`) })
  await ctx.write(async (tx) => {
    await sendToAccount(tx, {
      accountId: responderId,
      targetAccountId: requesterId,
      activity,
      evenIfSuspended,
      resend: true,
    })
    if (write === writeAccept) await cancelEarlierUndos(tx, { uris: [activity.uri] })
  })
}

async function sendToAccount(
  tx: Tx,
  {
    targetAccountId,
    ...outgoing
  }: Omit<Pair, 'accountId'> & {
    accountId: string | null
    activity: Activity
    evenIfUnavailable?: boolean
    evenIfSuspended?: boolean
    resend?: boolean
  },
): Promise<void> {
  await sendActivity(tx, { ...outgoing, to: { accountIds: [targetAccountId] }, toPersonalInboxes: true })
}

/** Returns a short key for a follow or block whose row is deleted, so that its id is not known any more. */
function requestKeyOf(uri: string): string {
  return createHash('sha256').update(uri).digest('base64url').slice(0, 22)
}
