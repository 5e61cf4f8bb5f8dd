import { statement } from '../../platform/db/connect.ts'
import type { Ctx } from '../context.ts'
import { isOwnTalk } from '../statuses/own-talk.ts'
import { tellHomes } from '../stream-news.ts'
import { FEED_LENGTH } from './home.ts'

/** Followers whose feeds are written in one statement. */
const CHUNK = 2_000

/** A second boost of what stands among this many newest entries is left out. */
const BOOST_WINDOW = 40

const loadStatus = statement<{
  id: string
  account_id: string
  visibility: string
  language: string | null
  original_id: string
  is_boost: boolean
  original_account_id: string
  is_own_talk: boolean
  in_reply_to_account_id: string | null
}>(
  `select s.id, s.account_id, s.visibility, coalesce(o.language, s.language) as language,
     coalesce(s.reblog_of_id, s.id) as original_id, s.reblog_of_id is not null as is_boost,
     coalesce(o.account_id, s.account_id) as original_account_id, ${isOwnTalk()} as is_own_talk,
     s.in_reply_to_account_id
   from statuses s left join statuses o on o.id = s.reblog_of_id where s.id = $1 and s.deleted_at is null`,
)

// $1 status, $2 author, $3 visibility, $4 language, $5 original, $6 is boost, $7 original's author,
// $8 replied-to account or null, $9 cursor, $10 chunk
const fillChunk = statement<{ last: string | null; added: string[] | null }>(
  `with chunk as (
     select f.id, f.account_id, f.show_reblogs, f.languages from follows f
     where f.target_account_id = $2 and f.id > $9::bigint order by f.id limit $10
   ), readers as (
     select c.account_id from chunk c join users u on u.account_id = c.account_id
     where (not $6::boolean or c.show_reblogs)
       and (c.languages is null or $4::text is null or $4 = any(c.languages))
       and ($3 <> 'direct' or exists (select from mentions m where m.status_id = $1 and m.account_id = c.account_id))
       -- a reply is for those who know both sides of the talk
       and ($8::bigint is null or $8 = $2 or $8 = c.account_id
         or exists (select from follows both_ where both_.account_id = c.account_id and both_.target_account_id = $8))
       and not exists (select from blocks b where
         (b.account_id = c.account_id and b.target_account_id in ($2, $7))
         or (b.account_id in ($2, $7) and b.target_account_id = c.account_id))
       and not exists (select from mutes m where m.account_id = c.account_id and m.target_account_id in ($2, $7)
         and (m.expires_at is null or m.expires_at > now()))
       and not exists (select from mentions mentioned join blocks b
         on b.account_id = c.account_id and b.target_account_id = mentioned.account_id where mentioned.status_id = $5)
       and (not $6 or not exists (
         select from (select original_id from feed_entries e where e.account_id = c.account_id
           order by e.status_id desc limit ${BOOST_WINDOW}) recent where recent.original_id = $5))
   ), added as (
     insert into feed_entries (account_id, status_id, original_id) select account_id, $1, $5 from readers
     on conflict do nothing returning account_id
   )
   select (select max(id) from chunk) as last, (select array_agg(account_id::text) from added) as added`,
)
const fillOwn = statement<{ account_id: string }>(
  `insert into feed_entries (account_id, status_id, original_id)
   select account_id, $2, $3 from users where account_id = $1 on conflict do nothing returning account_id`,
)

/**
 * Effect: writes a status into the feeds of its author and of those who follow them, and tells the streams of those
 * whose feed it was not in yet. Running again doubles nothing.
 */
export async function addToFeeds(ctx: Ctx, payload: { statusId: string; boostId?: string }): Promise<void> {
  const [status] = await loadStatus(ctx.db, [payload.boostId ?? payload.statusId])
  if (!status) return
  // A reply to what nobody here knows is a voice without its talk: only its author's feed has it.
  const forFollowers = status.is_own_talk || status.in_reply_to_account_id !== null
  let cursor: string | null = '0'
  while (cursor !== null) {
    const values: unknown[] = [
      status.id,
      status.account_id,
      status.visibility,
      status.language,
      status.original_id,
      status.is_boost,
      status.original_account_id,
      status.in_reply_to_account_id,
      cursor,
      CHUNK,
    ]
    const { last, added } = await ctx.write(async (tx) => {
      const own = cursor === '0' ? await fillOwn(tx.db, [status.account_id, status.id, status.original_id]) : []
      const [chunk] = forFollowers ? await fillChunk(tx.db, values) : []
      return { last: chunk?.last ?? null, added: [...own.map((row) => row.account_id), ...(chunk?.added ?? [])] }
    })
    tellHomes(ctx.bus, { event: 'update', statusId: status.id, accountIds: added })
    cursor = last
  }
}

const trim = statement(
  `delete from feed_entries e using (
     select account_id, (array_agg(status_id order by status_id desc))[${FEED_LENGTH}] as oldest
     from feed_entries group by account_id having count(*) > ${FEED_LENGTH}
   ) long where e.account_id = long.account_id and e.status_id < long.oldest`,
)
/** Effect: cuts feeds to their length. */
export async function pruneFeeds(ctx: Ctx): Promise<void> {
  await ctx.write((tx) => trim(tx.db, []))
}
