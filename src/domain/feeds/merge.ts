import { statement } from '../../platform/db/connect.ts'
import type { Ctx } from '../context.ts'
import { isOwnTalk } from '../statuses/own-talk.ts'

/** Statuses of a newly followed person that come into the feed at once. */
const MERGED = 200

const merge = statement(
  `insert into feed_entries (account_id, status_id, original_id)
   select $1, s.id, coalesce(s.reblog_of_id, s.id)
   from follows followed, lateral (
     select s.* from statuses s left join statuses o on o.id = s.reblog_of_id
     where s.account_id = followed.target_account_id and s.deleted_at is null
       and (s.visibility <> 'direct' or exists (
         select from mentions m where m.status_id = s.id and m.account_id = $1))
       and (s.reblog_of_id is null or followed.show_reblogs)
       and (followed.languages is null or s.language is null or s.language = any(followed.languages))
       and (${isOwnTalk()} or s.in_reply_to_account_id = $1 or exists (
         select from follows f where f.account_id = $1 and f.target_account_id = s.in_reply_to_account_id))
     order by s.id desc limit ${MERGED}
   ) s
   where followed.account_id = $1 and followed.target_account_id = $2
     and not exists (select from feed_entries e where e.account_id = $1 and e.original_id = coalesce(s.reblog_of_id, s.id))
   on conflict do nothing`,
)

/** Effect: a person who starts to follow somebody finds their latest statuses in the feed. */
export async function mergeIntoFeed(
  ctx: Ctx,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<void> {
  await ctx.write((tx) => merge(tx.db, [accountId, targetAccountId]))
}

const purge = statement(
  `delete from feed_entries e using statuses s
   where e.account_id = $1 and s.id = e.status_id
     and (s.account_id = $2 or exists (select from statuses o where o.id = s.reblog_of_id and o.account_id = $2 and $3::boolean))
     and (not $4::boolean or not exists (select from follows f where f.account_id = $1 and f.target_account_id = $2))`,
)

/** Effect: what somebody wrote leaves the feed of the person who no longer follows them. */
export async function leaveFeed(
  ctx: Ctx,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<void> {
  // Followed again in the meantime: what the new follow brought stays.
  await ctx.write((tx) => purge(tx.db, [accountId, targetAccountId, false, true]))
}

/** Effect: somebody who is blocked leaves the blocker's feed, also where others boost them, and the other way round. */
export async function partFeeds(
  ctx: Ctx,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<void> {
  await ctx.write(async (tx) => {
    await purge(tx.db, [accountId, targetAccountId, true, false])
    await purge(tx.db, [targetAccountId, accountId, true, false])
  })
}
