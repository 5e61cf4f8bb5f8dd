import { statement } from '../../platform/db/statement.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Tx } from '../context.ts'

const silence = statement<{ params: { statusId: string; named: readonly string[] } }>(
  `update mentions set silent = true where status_id = $statusId and not silent
    and not account_id = any($named::bigint[])`,
)
const speak = statement<{ params: { statusId: string; named: readonly string[] }; row: { account_id: string } }>(
  `insert into mentions (status_id, account_id)
   select $statusId, a.id from unnest($named::bigint[]) with ordinality named (id, place)
     join accounts a on a.id = named.id left join users u on u.account_id = a.id
   where ${usableAccount()} order by named.place
   on conflict (status_id, account_id) do update set silent = false where mentions.silent
   returning account_id`,
)
const address = statement<{ params: { statusId: string; silent: readonly string[] } }>(
  `insert into mentions (status_id, account_id, silent)
   select $statusId, a.id, true from unnest($silent::bigint[]) with ordinality named (id, place)
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
  await silence(tx.db, { statusId, named })
  const added = named.length > 0 ? await speak(tx.db, { statusId, named }) : []
  if (silentIds.length > 0) await address(tx.db, { statusId, silent: [...new Set(silentIds)] })
  return added.map((row) => row.account_id)
}
