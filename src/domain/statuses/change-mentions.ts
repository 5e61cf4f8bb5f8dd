import { statement } from '../../platform/db/connect.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Tx } from '../context.ts'

const silence = statement(
  `update mentions set silent = true where status_id = $1 and not silent and not account_id = any($2::bigint[])`,
)
const speak = statement<{ account_id: string }>(
  `insert into mentions (status_id, account_id)
   select $1, a.id from unnest($2::bigint[]) with ordinality named (id, place)
     join accounts a on a.id = named.id left join users u on u.account_id = a.id
   where ${usableAccount()} order by named.place
   on conflict (status_id, account_id) do update set silent = false where mentions.silent
   returning account_id`,
)
const address = statement(
  `insert into mentions (status_id, account_id, silent)
   select $1, a.id, true from unnest($2::bigint[]) with ordinality named (id, place)
     join accounts a on a.id = named.id left join users u on u.account_id = a.id
   where ${usableAccount()} order by named.place
   on conflict (status_id, account_id) do nothing`,
)

/**
 * Gives an edited status these mentions. Who is no longer mentioned may still read it, and hears no more of it.
 * Returns who is mentioned now and was not before.
 */
export async function changeMentions(
  tx: Tx,
  {
    statusId,
    mentionedIds,
    silentIds = [],
  }: { statusId: string; mentionedIds: readonly string[]; silentIds?: readonly string[] },
): Promise<string[]> {
  const named = [...new Set(mentionedIds)]
  await silence(tx.db, [statusId, named])
  const added = named.length > 0 ? await speak(tx.db, [statusId, named]) : []
  if (silentIds.length > 0) await address(tx.db, [statusId, [...new Set(silentIds)]])
  return added.map((row) => row.account_id)
}
