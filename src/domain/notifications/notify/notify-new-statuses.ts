import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { isRootOrSelfReply } from '../../access/is-root-or-self-reply.ts'
import { processInRounds } from '../../core/process-in-rounds.ts'
import { createManyNotifications } from '../create/create-notifications.ts'

/** The number of followers that one transaction notifies. */
const ROUND_SIZE = 1_000

/** SQL condition: a status for followers: no reblog, no direct message, no reply to others. */
const IS_FOR_FOLLOWERS = `s.deleted_at is null and s.reblog_of_id is null and s.visibility <> 'direct' and ${isRootOrSelfReply()}`

// Most authors have no such followers; for their statuses, this one query is all that runs.
const find = statement<{ params: { statusIds: readonly string[] }; row: { id: string } }>(
  `select s.id from statuses s
   where s.id = any($statusIds::bigint[]) and ${IS_FOR_FOLLOWERS}
     and exists (select from follows f where f.target_account_id = s.account_id and f.notify offset 0)`,
)

const lockFollowers = statement<{
  params: { statusIds: readonly string[]; cursors: readonly string[]; limit: number }
  row: { position: number; status_id: string; author_id: string; follow_id: string; account_id: string }
}>(
  `with status as materialized (
     select given.position::int, given.cursor, s.id, s.account_id, s.language
     from unnest($statusIds::bigint[], $cursors::bigint[]) with ordinality given (status_id, cursor, position)
       join statuses s on s.id = given.status_id
     where ${IS_FOR_FOLLOWERS} order by s.id for key share of s
   )
   select status.position, status.id as status_id, status.account_id as author_id, follower.id as follow_id, follower.account_id
   from status, lateral (
     select f.id, f.account_id from follows f
     where f.target_account_id = status.account_id and f.notify and f.id > status.cursor
       and (f.languages is null or status.language is null or status.language = any(f.languages))
       and not exists (select from mutes m where m.account_id = f.account_id and m.target_account_id = status.account_id
         and (m.expires_at is null or m.expires_at > now()))
     order by f.id limit $limit for key share of f) follower
   order by status.id, follower.id`,
)

/** Effect: notifies the followers who follow the authors with `notify` of new statuses. */
export async function notifyNewStatuses(ctx: Ctx, payloads: readonly { statusId: string }[]): Promise<void> {
  const statuses = await find(ctx.db, { statusIds: payloads.map(({ statusId }) => statusId) })
  await processInRounds(statuses, {
    roundSize: ROUND_SIZE,
    process: (sets, limit) =>
      ctx.write(async (tx) => {
        const statusIds = sets.map(({ item }) => item.id)
        const followers = await lockFollowers(tx.db, { statusIds, cursors: sets.map(({ cursor }) => cursor), limit })
        await createManyNotifications(tx, {
          type: 'status',
          notifications: followers.map(({ account_id, author_id, status_id }) => ({
            recipientId: account_id,
            fromAccountId: author_id,
            statusId: status_id,
          })),
        })
        return [...Map.groupBy(followers, ({ position }) => position)].map(([position, some]) => ({
          position,
          last: some.at(-1)!.follow_id,
          size: some.length,
        }))
      }),
  })
}
