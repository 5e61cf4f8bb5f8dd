import { statement } from '../../../platform/db/statement.ts'
import { usableAccount } from '../../access/usable-account.ts'
import type { Tx } from '../../context.ts'

const silenceMentions = statement<{
  params: { statusId: string; mentionedIds: readonly string[] }
  row: { account_id: string }
}>(
  `update mentions set silent = true where status_id = $statusId and not silent
    and not account_id = any($mentionedIds::bigint[])
   returning account_id`,
)
const insertMentions = statement<{
  params: { statusId: string; mentionedIds: readonly string[] }
  row: { account_id: string }
}>(
  `insert into mentions (status_id, account_id)
   select $statusId, a.id from unnest($mentionedIds::bigint[]) with ordinality mentioned (id, place)
     join accounts a on a.id = mentioned.id left join users u on u.account_id = a.id
   where ${usableAccount()} order by mentioned.place
   on conflict (status_id, account_id) do update set silent = false where mentions.silent
   returning account_id`,
)
const insertSilentMentions = statement<{
  params: { statusId: string; silentIds: readonly string[] }
  row: { account_id: string }
}>(
  `insert into mentions (status_id, account_id, silent)
   select $statusId, a.id, true from unnest($silentIds::bigint[]) with ordinality addressed (id, place)
     join accounts a on a.id = addressed.id left join users u on u.account_id = a.id
   where ${usableAccount()} order by addressed.place
   on conflict (status_id, account_id) do nothing returning account_id`,
)

/**
 * Replaces the mentions of an edited status. The mentions of accounts that are no longer mentioned become silent: these
 * accounts may still read the status, and are not notified of it any more. Returns the ids of the newly mentioned
 * accounts, and whether any mention changed.
 */
export async function changeMentions(
  tx: Tx,
  {
    statusId,
    mentionedIds,
    silentIds = [],
  }: { statusId: string; mentionedIds: readonly string[]; silentIds?: readonly string[] },
): Promise<{ newlyMentionedIds: string[]; isChanged: boolean }> {
  const uniqueIds = [...new Set(mentionedIds)]
  const silenced = await silenceMentions(tx.db, { statusId, mentionedIds: uniqueIds })
  const added = uniqueIds.length > 0 ? await insertMentions(tx.db, { statusId, mentionedIds: uniqueIds }) : []
  const silent =
    silentIds.length > 0 ? await insertSilentMentions(tx.db, { statusId, silentIds: [...new Set(silentIds)] }) : []
  return {
    newlyMentionedIds: added.map((row) => row.account_id),
    isChanged: silenced.length + added.length + silent.length > 0,
  }
}
