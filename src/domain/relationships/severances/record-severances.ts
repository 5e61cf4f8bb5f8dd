import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { createNotifications } from '../../notifications/create/create-notifications.ts'

/** The options of a follow. */
export interface FollowOptions {
  showReblogs: boolean
  notify: boolean
  /** null: all languages. */
  languages: string[] | null
}

/** A follow between a local and a remote account that ended by a block or suspension, not by an unfollow. */
export interface SeveredFollow extends FollowOptions {
  /** The local account. */
  accountId: string
  otherId: string
  /** Whether the other account followed the local one. */
  isFollower: boolean
}

interface Severance {
  type: 'domain_block' | 'user_domain_block' | 'account_suspension'
  /** The domain, or the handle of the suspended account. */
  targetName: string
  /** Identifies the cause, so that follows that end in several transactions make one severance event. */
  cause: string
  follows: readonly SeveredFollow[]
}

const record = statement<{
  params: { type: string; targetName: string; cause: string; now: Date; follows: string }
  row: { id: string; is_new: boolean }
}>(
  `with lost as (
     select l.*, a.username || '@' || a.domain as handle
     from jsonb_to_recordset($follows::jsonb) l ("accountId" bigint, "otherId" bigint, "isFollower" boolean,
       "showReblogs" boolean, notify boolean, languages text[]) join accounts a on a.id = l."otherId"
   ), events as (
     insert into relationship_severance_events (account_id, type, target_name, cause, followers_count, following_count,
       created_at)
     select "accountId", $type, $targetName, $cause, count(*) filter (where "isFollower")::int,
       count(*) filter (where not "isFollower")::int, $now
     from lost group by "accountId" order by "accountId"
     on conflict (account_id, cause) do update set
       followers_count = relationship_severance_events.followers_count + excluded.followers_count,
       following_count = relationship_severance_events.following_count + excluded.following_count
     returning id, account_id, xmax = 0 as is_new
   ), listed as (
     insert into severed_relationships (severance_id, is_follower, handle, show_reblogs, notify, languages)
     select events.id, "isFollower", handle, "showReblogs", notify, languages
     from lost join events on events.account_id = "accountId" where handle is not null
     on conflict (severance_id, is_follower, handle) do nothing
   )
   select id, is_new from events order by id`,
)

/** Records which follows accounts have lost, in the transaction that deletes the follows. */
export async function recordSeverances(tx: Tx, { type, targetName, cause, follows }: Severance): Promise<void> {
  if (follows.length === 0) return
  const events = await record(tx.db, { type, targetName, cause, now: tx.now, follows: JSON.stringify(follows) })
  for (const { id, is_new: isNew } of events) {
    if (isNew) tx.emit('relationships.severed', { severanceId: id })
  }
}

const find = statement<{ params: { severanceId: string }; row: { account_id: string } }>(
  `select account_id from relationship_severance_events where id = $severanceId for key share`,
)

/** Effect: notifies a user of severed relationships. */
export async function notifySeveredRelationships(ctx: Ctx, { severanceId }: { severanceId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const [severance] = await find(tx.db, { severanceId })
    if (!severance) return
    const { account_id: accountId } = severance
    await createNotifications(tx, {
      type: 'severed_relationships',
      fromAccountId: accountId,
      severanceId,
      recipientIds: [accountId],
    })
  })
}
