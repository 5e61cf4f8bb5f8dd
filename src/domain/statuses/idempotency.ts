import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'

/** For so long the same key makes the same. */
const KEPT = `interval '1 hour'`

/** So many are forgotten in one transaction. */
const STEP = 20_000

// The first of several parallel requests with one key holds this lock until it commits; the others then find its row.
const lock = statement<{ params: { accountId: string; key: string } }>(
  `select pg_advisory_xact_lock(hashtextextended($accountId || ':' || $key, 0))`,
)
const find = statement<{
  params: { accountId: string; key: string; now: Date }
  row: { status_id: string | null; scheduled_status_id: string | null }
}>(
  `select status_id, scheduled_status_id from idempotency_keys
   where account_id = $accountId and key = $key and created_at > $now::timestamptz - ${KEPT}`,
)
const keep = statement<{
  params: { accountId: string; key: string; statusId: string | null; scheduledId: string | null; now: Date }
}>(
  `insert into idempotency_keys (account_id, key, status_id, scheduled_status_id, created_at) values ($accountId,
    $key, $statusId, $scheduledId, $now)
   on conflict (account_id, key) do update set status_id = excluded.status_id,
     scheduled_status_id = excluded.scheduled_status_id, created_at = excluded.created_at`,
)
const move = statement<{ params: { scheduledId: string; statusId: string } }>(
  `update idempotency_keys set status_id = $statusId, scheduled_status_id = null
    where scheduled_status_id = $scheduledId`,
)
const forget = statement<{ params: { now: Date }; row: { forgotten: number } }>(
  `with gone as (
     delete from idempotency_keys where ctid = any(array(
       select ctid from idempotency_keys where created_at <= $now::timestamptz - ${KEPT}
         order by created_at limit ${STEP}))
     returning 1
   ) select count(*)::integer as forgotten from gone`,
)

/** What a request made: a status, or one that is posted later. */
export type Made = { statusId: string } | { scheduledId: string }

/** What the same key made within the last hour, once every other request with it is done; null: nothing, or no key. */
export async function findMade(
  tx: Tx,
  { accountId, key }: { accountId: string; key: string | undefined },
): Promise<Made | null> {
  if (key === undefined) return null
  await lock(tx.db, { accountId, key })
  const [known] = await find(tx.db, { accountId, key, now: tx.now })
  if (known?.status_id) return { statusId: known.status_id }
  return known?.scheduled_status_id ? { scheduledId: known.scheduled_status_id } : null
}

/** Remembers what a key made. */
export async function keepMade(
  tx: Tx,
  { accountId, key, made }: { accountId: string; key: string | undefined; made: Made },
): Promise<void> {
  if (key === undefined) return
  const [statusId, scheduledId] = 'statusId' in made ? [made.statusId, null] : [null, made.scheduledId]
  await keep(tx.db, { accountId, key, statusId, scheduledId, now: tx.now })
}

/** What was scheduled is posted: from now on its key stands for the status. */
export async function movePosted(
  tx: Tx,
  { scheduledId, statusId }: { scheduledId: string; statusId: string },
): Promise<void> {
  await move(tx.db, { scheduledId, statusId })
}

/** Effect: forgets keys that stand for nothing any more. */
export async function expireKeys(ctx: Ctx): Promise<void> {
  let forgotten = STEP
  while (forgotten === STEP) {
    forgotten = await ctx.write(async (tx) => (await forget(tx.db, { now: tx.now }))[0]!.forgotten)
  }
}
