import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { threadUri } from '../../conversations/conversation-uri.ts'

/** The columns of a new status, and the username of its author. */
export interface NewStatusRow {
  account_id: string
  username: string
  text: string
  content: string
  spoiler_text: string
  visibility: string
  sensitive: boolean
  language: string
  in_reply_to_id: string | null
  in_reply_to_account_id: string | null
  /** null: the status begins a conversation. */
  conversation_id: string | null
  application_id: string | null
  local_only: boolean
  quote_automatic: readonly string[]
  emoji_ids: readonly string[]
}

// With the conversations that they begin, and with the counters of their authors, which are locked in the order of the
// ids. A direct status must not be visible in the public counter and the public date of the last status. The conversation
// of a local-only status has no URI, because that would reveal the id of the status to other servers.
const insert = statement<{ params: { rows: string; origin: string; now: Date }; row: { id: string }; notNull: 'id' }>(
  `with given as (
     select r.*, next_status_id() as id,
       count(*) filter (where conversation_id is null) over (rows unbounded preceding) as nth_conversation
     from json_to_recordset($rows::json) as r (account_id bigint, username text, text text, content text,
       spoiler_text text, visibility text, sensitive boolean, language text, in_reply_to_id bigint,
       in_reply_to_account_id bigint, conversation_id bigint, application_id bigint, local_only boolean,
       quote_automatic text[], emoji_ids bigint[])
   ), conversation as (
     insert into conversations (uri, created_at)
     select case when not local_only then ${threadUri({ origin: '$origin', accountId: 'account_id', statusId: 'id' })} end, now()
     from given where conversation_id is null returning id
   ), numbered as (
     select id, row_number() over () as nth from conversation
   ), locked as (
     select account_id from account_stats
     where account_id = any(array(select account_id from given where visibility <> 'direct'))
     order by account_id for no key update
   ), counted as (
     update account_stats s set statuses_count = s.statuses_count + posted.times, last_status_at = $now
     from locked join (
       select account_id, count(*) as times from given where visibility <> 'direct' group by account_id
     ) posted on posted.account_id = locked.account_id
     where s.account_id = locked.account_id
   ), inserted as (
     insert into statuses (id, account_id, uri, url, text, content, spoiler_text, visibility, sensitive, language,
       in_reply_to_id, in_reply_to_account_id, conversation_id, application_id, local_only, quote_automatic, emoji_ids,
       created_at)
     select given.id, account_id, $origin || '/ap/users/' || account_id || '/statuses/' || given.id,
       $origin || '/@' || username || '/' || given.id, text, content, spoiler_text, visibility, sensitive, language,
       in_reply_to_id, in_reply_to_account_id, coalesce(conversation_id, numbered.id), application_id, local_only,
       quote_automatic, emoji_ids, to_timestamp((given.id >> 16) / 1000.0)
     from given left join numbered on given.conversation_id is null and numbered.nth = given.nth_conversation
   )
   select id from given order by id`,
)

/** Inserts local statuses. Returns their ids in the same order, which increase. */
export async function insertStatuses(tx: Tx, rows: readonly NewStatusRow[]): Promise<string[]> {
  const inserted = await insert(tx.db, { rows: JSON.stringify(rows), origin: tx.config.origin, now: tx.now })
  return inserted.map(({ id }) => id)
}
