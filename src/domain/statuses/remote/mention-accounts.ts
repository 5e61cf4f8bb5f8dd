import { statement } from '../../../platform/db/statement.ts'
import { usableAccount } from '../../access/usable-account.ts'
import type { Tx } from '../../context.ts'

interface Mention {
  statusId: string
  authorId: string
  recipientId: string
  /** The account may read the status without being mentioned in it, and is not notified. */
  isSilent: boolean
}

const insert = statement<{
  params: {
    statusIds: readonly string[]
    authorIds: readonly string[]
    recipientIds: readonly string[]
    areSilent: readonly boolean[]
  }
}>(
  `insert into mentions (status_id, account_id, silent)
   select r.status_id, a.id, r.silent
   from unnest($statusIds::bigint[], $authorIds::bigint[], $recipientIds::bigint[], $areSilent::boolean[])
       with ordinality as r (status_id, author_id, account_id, silent, place)
     join accounts a on a.id = r.account_id left join users u on u.account_id = a.id
   where a.id <> r.author_id and ${usableAccount()} order by r.place
   on conflict (status_id, account_id) do nothing`,
)
const findStored = statement<{
  params: { uri: string; authorUri: string }
  row: { status_id: string; author_id: string }
}>(
  `select s.id as status_id, a.id as author_id from statuses s join accounts a on a.id = s.account_id
   where s.uri = $uri and not s.local and s.deleted_at is null and a.uri = $authorUri`,
)

/** Adds mentions to remote statuses, except of accounts that they mention already. */
export async function mentionAccounts(tx: Tx, mentions: readonly Mention[]): Promise<void> {
  if (mentions.length === 0) return
  await insert(tx.db, {
    statusIds: mentions.map(({ statusId }) => statusId),
    authorIds: mentions.map(({ authorId }) => authorId),
    recipientIds: mentions.map(({ recipientId }) => recipientId),
    areSilent: mentions.map(({ isSilent }) => isSilent),
  })
}

/**
 * Lets a local account read a stored remote status, because its author delivered it to the inbox of that account.
 * Returns whether a status of this author is stored.
 */
export async function addReader(
  tx: Tx,
  { uri, authorUri, readerId }: { uri: string; authorUri: string; readerId: string },
): Promise<boolean> {
  const [stored] = await findStored(tx.db, { uri, authorUri })
  if (!stored) return false
  const { status_id: statusId, author_id: authorId } = stored
  await mentionAccounts(tx, [{ statusId, authorId, recipientId: readerId, isSilent: true }])
  return true
}
