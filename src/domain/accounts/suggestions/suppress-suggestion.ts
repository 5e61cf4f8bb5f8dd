import { NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import { confirmedAccount, usableAccount } from '../../access/usable-account.ts'
import type { Read, Tx } from '../../context.ts'
import { recordAuditEntry } from '../../core/record-audit-entry.ts'
import type { Actor } from '../../core/record-audit-entry.ts'

// The lock keeps the account until the row that refers to it is committed.
const findHandle = statement<{ params: { accountId: string }; row: { handle: string } }>(
  `select a.username || coalesce('@' || a.domain, '') as handle
   from accounts a left join users u on u.account_id = a.id
   where a.id = $accountId and ${confirmedAccount()} for key share of a`,
)
const suppress = statement<{ params: { accountId: string; now: Date }; row: { account_id: string } }>(
  `insert into suppressed_suggestions (account_id, created_at) values ($accountId, $now)
   on conflict do nothing returning account_id`,
)
const restore = statement<{ params: { accountId: string }; row: { account_id: string } }>(
  `delete from suppressed_suggestions where account_id = $accountId returning account_id`,
)
const find = statement<{ params: { accountId: string } }>(
  `select from suppressed_suggestions where account_id = $accountId`,
)
const list = statement<{ params: { limit: number; offset: number }; row: { id: string } }>(
  `select a.id from suppressed_suggestions s join accounts a on a.id = s.account_id
     left join users u on u.account_id = a.id
   where ${usableAccount()}
   order by s.created_at desc, s.account_id desc limit $limit::int offset $offset::int`,
)

type Subject = { accountId: string; by: Actor }

/** Keeps an account out of the follow suggestions of all users. @throws NotFoundError */
export async function suppressSuggestion(tx: Tx, { accountId, by }: Subject): Promise<void> {
  const handle = await lockAccount(tx, { accountId })
  const isChange = (await suppress(tx.db, { accountId, now: tx.now })).length > 0
  if (isChange) await record(tx, { accountId, by, handle, action: 'suppress_suggestion' })
}

/** Lets an account be suggested again. @throws NotFoundError */
export async function restoreSuggestion(tx: Tx, { accountId, by }: Subject): Promise<void> {
  const handle = await lockAccount(tx, { accountId })
  const isChange = (await restore(tx.db, { accountId })).length > 0
  if (isChange) await record(tx, { accountId, by, handle, action: 'restore_suggestion' })
}

async function lockAccount(tx: Tx, { accountId }: { accountId: string }): Promise<string> {
  const [account] = await findHandle(tx.db, { accountId })
  if (!account) throw new NotFoundError()
  return account.handle
}

async function record(
  tx: Tx,
  { accountId, by, handle, action }: Subject & { handle: string; action: 'suppress_suggestion' | 'restore_suggestion' },
): Promise<void> {
  await recordAuditEntry(tx, { by, action, targetType: 'account', targetId: accountId, label: handle })
}

/** Returns whether the staff keep an account out of the suggestions. */
export async function isSuppressed(read: Read, { accountId }: { accountId: string }): Promise<boolean> {
  return (await find(read.db, { accountId })).length > 0
}

/** Returns the ids of the accounts that the staff keep out of the suggestions, the latest first. */
export async function listSuppressed(
  read: Read,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  return limit === 0 ? [] : (await list(read.db, { limit, offset })).map(({ id }) => id)
}
