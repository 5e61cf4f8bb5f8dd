import { statement } from '../../../platform/db/statement.ts'
import { findMoveTarget } from '../../accounts/migration/move-account.ts'
import type { Ctx, Tx } from '../../context.ts'
import { blockAccount } from '../blocks/block-account.ts'
import { moveFollowers } from './move-followers.ts'
import { MAX_NOTE_CHARACTERS } from '../notes/save-account-note.ts'

interface Migration {
  /** The account that has moved to the target account. */
  accountId: string
  targetAccountId: string
}

const isActiveLocal = (alias: string) =>
  `exists (select from accounts a where a.id = ${alias}.account_id and a.domain is null and a.suspended_at is null)`
const doesNotFollow = (alias: string) =>
  `not exists (select from follows f where f.account_id = ${alias}.account_id
    and f.target_account_id = $targetAccountId)`

const copyMutes = statement<{
  params: { accountId: string; targetAccountId: string; now: Date }
  row: { account_id: string }
}>(
  `insert into mutes (account_id, target_account_id, hide_notifications, expires_at, created_at)
   select m.account_id, $targetAccountId, m.hide_notifications, m.expires_at, $now from mutes m
   where m.target_account_id = $accountId and m.account_id <> $targetAccountId and (m.expires_at is null
     or m.expires_at > $now)
     and ${isActiveLocal('m')} and ${doesNotFollow('m')}
   on conflict (account_id, target_account_id) do nothing returning account_id`,
)
// Idempotent: a note that contains the copied text already stays as it is.
const copyNotes = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `insert into account_notes as present (account_id, target_account_id, comment)
   select n.account_id, $targetAccountId, n.comment from account_notes n
   where n.target_account_id = $accountId and n.account_id <> $targetAccountId and ${isActiveLocal('n')}
   on conflict (account_id, target_account_id) do update
     set comment = left(present.comment || E'\\n\\n' || excluded.comment, ${MAX_NOTE_CHARACTERS})
     where position(excluded.comment in present.comment) = 0
       and length(present.comment) < ${MAX_NOTE_CHARACTERS} - 2`,
)
const findBlockers = statement<{ params: { accountId: string; targetAccountId: string }; row: { account_id: string } }>(
  `select b.account_id from blocks b
   where b.target_account_id = $accountId and b.account_id <> $targetAccountId and ${isActiveLocal('b')}
     and ${doesNotFollow('b')}
     and not exists (select from blocks other where other.account_id = b.account_id
       and other.target_account_id = $targetAccountId)`,
)

/**
 * Effect: transfers the relationships of local accounts with an account that has moved to its new account: mutes,
 * notes, follows with their list memberships, and blocks. Mutes and blocks are not transferred for local accounts that
 * follow the new account already.
 */
export async function migrateRelationships(ctx: Ctx, migration: Migration): Promise<void> {
  const { accountId, targetAccountId } = migration
  if (!(await isStillMoved(ctx, migration))) return
  // Before the follows, so that statuses of a muted account do not reappear.
  await ctx.write(async (tx) => copyMutesAndNotes(tx, migration))
  await moveFollowers(ctx, { ...migration, isStillMoved: async () => isStillMoved(ctx, migration) })
  for (const { account_id: blockerId } of await findBlockers(ctx.db, { accountId, targetAccountId })) {
    await ctx.write((tx) => blockAccount(tx, { accountId: blockerId, targetAccountId }))
  }
}

async function copyMutesAndNotes(tx: Tx, { accountId, targetAccountId }: Migration): Promise<void> {
  const copied = await copyMutes(tx.db, { accountId, targetAccountId, now: tx.now })
  for (const { account_id: muterId } of copied) tx.emit('account.muted', { accountId: muterId, targetAccountId })
  await copyNotes(tx.db, { accountId, targetAccountId })
}

async function isStillMoved(ctx: Ctx, { accountId, targetAccountId }: Migration): Promise<boolean> {
  return (await findMoveTarget(ctx, { accountId })) === targetAccountId
}
