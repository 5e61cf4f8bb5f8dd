import { statement } from '../../platform/db/connect.ts'
import type { Ctx, Tx } from '../context.ts'

/** For so long the same key makes the same. */
const KEPT = `interval '1 hour'`

/** So many are forgotten in one transaction. */
const STEP = 20_000

// The first of several parallel requests with one key holds this lock until it commits; the others then find its row.
const lock = statement(`select pg_advisory_xact_lock(hashtextextended($1 || ':' || $2, 0))`)
const find = statement<{ status_id: string | null; scheduled_status_id: string | null }>(
  `select status_id, scheduled_status_id from idempotency_keys
   where account_id = $1 and key = $2 and created_at > $3::timestamptz - ${KEPT}`,
)
const keep = statement(
  `insert into idempotency_keys (account_id, key, status_id, scheduled_status_id, created_at) values ($1, $2, $3, $4, $5)
   on conflict (account_id, key) do update set status_id = excluded.status_id,
     scheduled_status_id = excluded.scheduled_status_id, created_at = excluded.created_at`,
)
const move = statement(
  `update idempotency_keys set status_id = $2, scheduled_status_id = null where scheduled_status_id = $1`,
)
const forget = statement<{ forgotten: number }>(
  `with gone as (
     delete from idempotency_keys where ctid = any(array(
       select ctid from idempotency_keys where created_at <= $1::timestamptz - ${KEPT} order by created_at limit ${STEP}))
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
  await lock(tx.db, [accountId, key])
  const [known] = await find(tx.db, [accountId, key, tx.now])
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
  await keep(tx.db, [accountId, key, statusId, scheduledId, tx.now])
}

/** What was scheduled is posted: from now on its key stands for the status. */
export async function movePosted(
  tx: Tx,
  { scheduledId, statusId }: { scheduledId: string; statusId: string },
): Promise<void> {
  await move(tx.db, [scheduledId, statusId])
}

/** Effect: forgets keys that stand for nothing any more. */
export async function expireKeys(ctx: Ctx): Promise<void> {
  let forgotten = STEP
  while (forgotten === STEP) {
    forgotten = await ctx.write(async (tx) => (await forget(tx.db, [tx.now]))[0]!.forgotten)
  }
}
