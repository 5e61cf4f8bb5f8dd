import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'
import { refuseBlocked } from './refuse-blocked.ts'
import { findVisibleStatus } from './visibility.ts'
import type { StatusRow } from './visibility.ts'

const findOwn = statement<{ id: string }>(
  `select id from statuses where reblog_of_id = $1 and account_id = $2 and deleted_at is null`,
)
const insert = statement<{ id: string }>(
  `insert into statuses (id, account_id, uri, url, visibility, reblog_of_id, created_at)
   select id, $1::bigint, $2 || '/ap/users/' || $1 || '/statuses/' || id || '/activity',
     $2 || '/ap/users/' || $1 || '/statuses/' || id || '/activity', $3, $4, to_timestamp((id >> 16) / 1000.0)
   from next_status_id() id
   on conflict (reblog_of_id, account_id) where reblog_of_id is not null and deleted_at is null do nothing
   returning id`,
)
const count = statement(
  `insert into status_stats (status_id, reblogs_count) values ($1, 1)
   on conflict (status_id) do update set reblogs_count = status_stats.reblogs_count + 1`,
)
const countAuthor = statement(
  `update account_stats set statuses_count = statuses_count + 1, last_status_at = $2 where account_id = $1`,
)
const remove = statement<{ id: string }>(
  `delete from statuses where reblog_of_id = $1 and account_id = $2 and deleted_at is null returning id`,
)
const discount = statement(
  `update status_stats set reblogs_count = greatest(0, reblogs_count - 1) where status_id = $1`,
)
const discountAuthor = statement(
  `update account_stats set statuses_count = greatest(0, statuses_count - 1) where account_id = $1`,
)
const withdraw = statement(
  `delete from notifications where type = 'reblog' and from_account_id = $1 and status_id = $2`,
)

/** Who may pass a status on: everybody what is public or unlisted, the author also what is for followers, nobody a direct one. */
function mayBoost(original: StatusRow, accountId: string): boolean {
  if (original.visibility === 'private') return original.account_id === accountId
  return original.visibility !== 'direct'
}

/**
 * Boosts a status. Boosting it again gives the boost that is there. Returns the boost's id.
 * @throws NotFound for what the person may not see or not pass on
 */
export async function boostStatus(
  tx: Tx,
  {
    accountId,
    statusId,
    visibility,
  }: { accountId: string; statusId: string; visibility?: 'public' | 'unlisted' | 'private' },
): Promise<string> {
  const found = await findVisibleStatus(tx, { id: statusId, viewerId: accountId })
  const original =
    found.reblog_of_id === null ? found : await findVisibleStatus(tx, { id: found.reblog_of_id, viewerId: accountId })
  if (!mayBoost(original, accountId)) throw new NotFound()
  await refuseBlocked(tx, { accountId, statusId: original.id })
  const shownTo = original.visibility === 'private' ? 'private' : (visibility ?? 'public')
  // The boost that was in the way may be taken back in between: then there is room for this one.
  for (;;) {
    const [made] = await insert(tx.db, [accountId, tx.config.origin, shownTo, original.id])
    if (made) {
      await count(tx.db, [original.id])
      await countAuthor(tx.db, [accountId, tx.now])
      tx.emit('status.boosted', { accountId, statusId: original.id, boostId: made.id })
      return made.id
    }
    const [known] = await findOwn(tx.db, [original.id, accountId])
    if (known) return known.id
  }
}

/**
 * Takes a boost back, also of a status that the person may not see any more. `statusId` is the boosted one or the boost.
 * @throws NotFound when there was none and the status is hidden
 */
export async function unboostStatus(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<{ id: string; visible: boolean }> {
  const visible = await findVisibleStatus(tx, { id: statusId, viewerId: accountId }).catch((err: unknown) => {
    if (err instanceof NotFound) return null
    throw err
  })
  const id = visible?.reblog_of_id ?? statusId
  const [row] = await remove(tx.db, [id, accountId])
  if (row) {
    await discount(tx.db, [id])
    await discountAuthor(tx.db, [accountId])
    await withdraw(tx.db, [accountId, id])
    tx.emit('status.unboosted', { accountId, statusId: id, boostId: row.id })
  }
  if (!row && !visible) throw new NotFound()
  return { id, visible: visible !== null }
}
