import { statement } from '../../platform/db/statement.ts'
import { findMoveTarget } from '../accounts/move.ts'
import type { Ctx, Tx } from '../context.ts'
import { blockAccount } from './block.ts'
import { moveFollowers } from './move-followers.ts'
import { MAX_NOTE_CHARACTERS } from './note-account.ts'

interface Move {
  /** Who has moved. */
  accountId: string
  targetAccountId: string
}

const ofHere = (alias: string) =>
  `exists (select from accounts a where a.id = ${alias}.account_id and a.domain is null and a.suspended_at is null)`
const doesNotFollow = (alias: string) =>
  `not exists (select from follows f where f.account_id = ${alias}.account_id
    and f.target_account_id = $targetAccountId)`

const carryMutes = statement<{
  params: { accountId: string; targetAccountId: string; now: Date }
  row: { account_id: string }
}>(
  `insert into mutes (account_id, target_account_id, hide_notifications, expires_at, created_at)
   select m.account_id, $targetAccountId, m.hide_notifications, m.expires_at, $now from mutes m
   where m.target_account_id = $accountId and m.account_id <> $targetAccountId and (m.expires_at is null
     or m.expires_at > $now)
     and ${ofHere('m')} and ${doesNotFollow('m')}
   on conflict (account_id, target_account_id) do nothing returning account_id`,
)
// What is there already is not put down twice, however often this runs.
const carryNotes = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `insert into account_notes as present (account_id, target_account_id, comment)
   select n.account_id, $targetAccountId, n.comment from account_notes n
   where n.target_account_id = $accountId and n.account_id <> $targetAccountId and ${ofHere('n')}
   on conflict (account_id, target_account_id) do update
     set comment = left(present.comment || E'\\n\\n' || excluded.comment, ${MAX_NOTE_CHARACTERS})
     where position(excluded.comment in present.comment) = 0
       and length(present.comment) < ${MAX_NOTE_CHARACTERS} - 2`,
)
const findBlockers = statement<{ params: { accountId: string; targetAccountId: string }; row: { account_id: string } }>(
  `select b.account_id from blocks b
   where b.target_account_id = $accountId and b.account_id <> $targetAccountId and ${ofHere('b')}
     and ${doesNotFollow('b')}
     and not exists (select from blocks other where other.account_id = b.account_id
       and other.target_account_id = $targetAccountId)`,
)

/**
 * Effect: what people of here have with somebody who moved, they have with the new account: mutes, notes, follows with
 * the places on lists, and blocks. Whoever follows the new account on their own mutes and blocks it neither.
 */
export async function carryOver(ctx: Ctx, move: Move): Promise<void> {
  const { accountId, targetAccountId } = move
  if (!(await isStillMoved(ctx, move))) return
  // Before the follows: nobody hears somebody again whom they had muted.
  await ctx.write(async (tx) => carryQuiet(tx, move))
  await moveFollowers(ctx, { ...move, isStillMoved: async () => isStillMoved(ctx, move) })
  for (const { account_id: blockerId } of await findBlockers(ctx.db, { accountId, targetAccountId })) {
    await ctx.write((tx) => blockAccount(tx, { accountId: blockerId, targetAccountId }))
  }
}

async function carryQuiet(tx: Tx, { accountId, targetAccountId }: Move): Promise<void> {
  const mutes = await carryMutes(tx.db, { accountId, targetAccountId, now: tx.now })
  for (const { account_id: muterId } of mutes) tx.emit('account.muted', { accountId: muterId, targetAccountId })
  await carryNotes(tx.db, { accountId, targetAccountId })
}

async function isStillMoved(ctx: Ctx, { accountId, targetAccountId }: Move): Promise<boolean> {
  return (await findMoveTarget(ctx, { accountId })) === targetAccountId
}
