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
} from '../objects/write-activities.ts'
import type { Activity, Relation } from '../objects/write-activities.ts'
import { sendActivity } from './send.ts'

/** Who does or did something to whom. */
interface Pair {
  accountId: string
  targetAccountId: string
}

interface Sides {
  actor: string
  object: string
}

/** The ids of both, if the first one is of here and the second one is not. */
const findSides = statement<{ params: { accountId: string; targetAccountId: string }; row: Sides }>(
  `select a.uri as actor, t.uri as object from accounts a, accounts t
   where a.id = $accountId and a.domain is null and t.id = $targetAccountId and t.domain is not null`,
)

const holdRow = (table: string) =>
  statement<{ params: { accountId: string; targetAccountId: string }; row: { id: string; uri: string | null } }>(
    `select id, uri from ${table} where account_id = $accountId and target_account_id = $targetAccountId for key share`,
  )
const holdRequest = holdRow('follow_requests')
const holdBlock = holdRow('blocks')

/** Effect: asks somebody elsewhere to be followed, also where nobody has answered for long. */
export async function deliverFollow(ctx: Ctx, pair: Pair): Promise<void> {
  const [sides] = await findSides(ctx.db, { accountId: pair.accountId, targetAccountId: pair.targetAccountId })
  if (!sides) return
  await ctx.write(async (tx) => {
    const [request] = await holdRequest(tx.db, { accountId: pair.accountId, targetAccountId: pair.targetAccountId })
    if (!request) return
    await sendTo(tx, { ...pair, activity: writeFollow({ ...sides, ...request }), evenIfUnavailable: true })
  })
}

/** Effect: tells somebody elsewhere of a block. */
export async function deliverBlock(ctx: Ctx, pair: Pair): Promise<void> {
  const [sides] = await findSides(ctx.db, { accountId: pair.accountId, targetAccountId: pair.targetAccountId })
  if (!sides) return
  await ctx.write(async (tx) => {
    const [block] = await holdBlock(tx.db, { accountId: pair.accountId, targetAccountId: pair.targetAccountId })
    if (block) await sendTo(tx, { ...pair, activity: writeBlock({ ...sides, ...block }) })
  })
}

type Undone = Pair & { uri: string | null }

/** Effect: tells somebody elsewhere that they are not followed any more. Without an address they never heard of it. */
export async function deliverUndoFollow(ctx: Ctx, undone: Undone): Promise<void> {
  await undo(ctx, undone, writeUndoFollow)
}

/** Effect: tells somebody elsewhere that they are not blocked any more. */
export async function deliverUndoBlock(ctx: Ctx, undone: Undone): Promise<void> {
  await undo(ctx, undone, writeUndoBlock)
}

async function undo(ctx: Ctx, { uri, ...pair }: Undone, write: (relation: Relation) => Activity): Promise<void> {
  if (uri === null) return
  const [sides] = await findSides(ctx.db, { accountId: pair.accountId, targetAccountId: pair.targetAccountId })
  if (!sides) return
  const activity = write({ ...sides, id: nameOf(uri), uri })
  await ctx.write((tx) => sendTo(tx, { ...pair, activity }))
}

/** Effect: tells somebody elsewhere that they follow somebody here, as often as they ask. */
export async function deliverAccept(ctx: Ctx, asked: Undone): Promise<void> {
  await answer(ctx, asked, writeAccept)
}

/** Effect: tells somebody elsewhere that they do not follow somebody here, or no longer. */
export async function deliverReject(ctx: Ctx, asked: Undone): Promise<void> {
  await answer(ctx, asked, writeReject)
}

/** The one who asked is elsewhere, the one who answers of here. */
async function answer(
  ctx: Ctx,
  { accountId: askerId, targetAccountId: answererId, uri }: Undone,
  write: (relation: Relation) => Activity,
): Promise<void> {
  const [sides] = await findSides(ctx.db, { accountId: answererId, targetAccountId: askerId })
  if (!sides) return
  const follow = { actor: sides.object, object: sides.actor, uri }
  const activity = write({ ...follow, id: nameOf(uri ?? `${follow.actor} ${follow.object}`) })
  await ctx.write((tx) => sendTo(tx, { accountId: answererId, targetAccountId: askerId, activity, again: true }))
}

async function sendTo(
  tx: Tx,
  { targetAccountId, ...outgoing }: Pair & { activity: Activity; evenIfUnavailable?: boolean; again?: boolean },
): Promise<void> {
  await sendActivity(tx, { ...outgoing, to: { accountIds: [targetAccountId] }, personally: true })
}

/** A short name for what is gone by now: the row's own number is not known any more. */
function nameOf(uri: string): string {
  return createHash('sha256').update(uri).digest('base64url').slice(0, 22)
}
