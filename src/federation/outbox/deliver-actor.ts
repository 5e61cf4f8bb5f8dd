import type { Ctx, Tx } from '../../domain/context.ts'
import { lockAccounts } from '../../domain/core/lock-accounts.ts'
import { listRelayInboxes } from '../../domain/relays/subscriptions.ts'
import { statement } from '../../platform/db/statement.ts'
import { ensureActorKey } from '../keys/actor-keys.ts'
import { actorUri } from '../objects/uris.ts'
import { writeActorUpdate } from '../objects/write/write-activities.ts'
import { writeActor } from '../objects/write/write-actor.ts'
import { cancelFormerUpdates } from './cancel-superseded.ts'
import { sendActivity } from './send-activity.ts'
import type { ActivityRecipients } from './send-activity.ts'

const DAY_MS = 86_400_000

/** For how long an account that was mentioned, followed or asked to be followed counts as a contact. */
const CONTACT_DAYS = 2

/** How many of an account's latest statuses are searched for contacts. */
const MAX_CONTACT_STATUSES = 200

/** SQL expression: the time since which contacts of the account `a` count; of a suspended one, before its suspension. */
const SINCE = `least($since::timestamptz, a.suspended_at - interval '${CONTACT_DAYS} days')`

const CONTACT_IDS = `array(select known.id::text from accounts known
  where known.domain is not null and known.inbox_url is not null and known.id in (
    select m.account_id from (
        select s.id from statuses s where s.account_id = a.id and s.deleted_at is null and s.created_at > ${SINCE}
          and not s.local_only
        order by s.id desc limit ${MAX_CONTACT_STATUSES}) latest
      join mentions m on m.status_id = latest.id
    union select f.target_account_id from follows f where f.account_id = a.id and f.created_at > ${SINCE}
    union select r.target_account_id from follow_requests r where r.account_id = a.id and r.created_at > ${SINCE}
    union select r.account_id from reports r
      where r.target_account_id = a.id and (a.suspended_at is not null or $wasSuspended::boolean))
  order by known.id)`

const findActor = statement<{
  params: { accountId: string; since: Date; wasSuspended: boolean }
  row: { has_remote_followers: boolean; contact_ids: string[] }
}>(
  `select exists (select from follows f join accounts follower on follower.id = f.account_id
       where f.target_account_id = a.id and follower.domain is not null) as has_remote_followers,
     ${CONTACT_IDS} as contact_ids
   from accounts a where a.id = $accountId and a.domain is null`,
)
const findContactIds = statement<{
  params: { accountId: string; since: Date; wasSuspended: boolean }
  row: { contact_ids: string[]; followed_ids: string[] }
}>(
  `select ${CONTACT_IDS} as contact_ids,
     array(select f.target_account_id::text from follows f join accounts followed on followed.id = f.target_account_id
       where f.account_id = a.id and followed.domain is not null order by f.target_account_id) as followed_ids
   from accounts a where a.id = $accountId and a.domain is null`,
)
// A deleted account may be stored still. Its Delete is sent instead.
const findTime = statement<{ params: { accountId: string }; row: { updated_at: Date } }>(
  `select updated_at from accounts a where id = $accountId
     and not exists (select from deleted_usernames d where d.username = lower(a.username) and d.uri = a.uri)`,
)

const contactsSince = (now: Date): Date => new Date(now.getTime() - CONTACT_DAYS * DAY_MS)

/**
 * Returns the recipients of the Update of a local profile: remote followers, recent contacts and relays, and of a
 * suspended account also the remote accounts that reported it; null if there are none. `suspendedAt`: when a suspension
 * began that ended now, whose recipients are included.
 */
export async function findProfileRecipients(
  ctx: Ctx,
  { accountId, suspendedAt }: { accountId: string; suspendedAt?: number },
): Promise<ActivityRecipients | null> {
  const since = contactsSince(suspendedAt === undefined ? ctx.now() : new Date(suspendedAt))
  const [found] = await findActor(ctx.db, { accountId, since, wasSuspended: suspendedAt !== undefined })
  if (!found) return null
  const inboxes = await listRelayInboxes(ctx)
  if (!found.has_remote_followers && found.contact_ids.length === 0 && inboxes.length === 0) return null
  return { followersOf: [accountId], accountIds: found.contact_ids, inboxes }
}

/**
 * Returns the remote accounts beside its followers whose servers may know the key of a local account: recent contacts,
 * and all accounts that it follows.
 */
export async function findKeyHolders(tx: Tx, { accountId }: { accountId: string }): Promise<string[]> {
  const [found] = await findContactIds(tx.db, { accountId, since: contactsSince(tx.now), wasSuspended: false })
  return found ? [...found.contact_ids, ...found.followed_ids] : []
}

/**
 * Effect: sends the Update of a changed profile to its recipients (`findProfileRecipients`). Each state of the profile
 * is sent once, however many changes led to it.
 */
export async function deliverActor(ctx: Ctx, change: { accountId: string; suspendedAt?: number }): Promise<void> {
  const { accountId } = change
  const to = await findProfileRecipients(ctx, change)
  if (!to) return
  await ensureActorKey(ctx, { accountId })
  await ctx.write(async (tx) => {
    // Otherwise, an Update with the former key could follow the one of a rotation.
    await lockAccounts(tx, { ids: [accountId] })
    const [state] = await findTime(tx.db, { accountId })
    const actor = actorUri(tx.config, accountId)
    const json = await writeActor(tx, { accountId })
    if (!json || !state) return
    const activity = writeActorUpdate({ actor, json, at: state.updated_at })
    await sendActivity(tx, { activity, accountId, to })
    await cancelFormerUpdates(tx, { uri: activity.uri, object: actor })
  })
}
