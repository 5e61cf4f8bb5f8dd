import { statement } from '../../../platform/db/statement.ts'
import { usableAccount } from '../../access/usable-account.ts'
import type { Tx } from '../../context.ts'
import { isRecent } from '../parts/recency.ts'

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
  row: { status_id: string }
}>(
  `insert into mentions (status_id, account_id, silent)
   select r.status_id, a.id, r.silent
   from unnest($statusIds::bigint[], $authorIds::bigint[], $recipientIds::bigint[], $areSilent::boolean[])
       with ordinality as r (status_id, author_id, account_id, silent, place)
     join accounts a on a.id = r.account_id left join users u on u.account_id = a.id
   where a.id <> r.author_id and ${usableAccount()} order by r.place
   on conflict (status_id, account_id) do nothing returning status_id`,
)
const findStored = statement<{
  params: { uri: string; authorUri: string }
  row: { status_id: string; author_id: string }
}>(
  `select s.id as status_id, a.id as author_id from statuses s join accounts a on a.id = s.account_id
   where s.uri = $uri and not s.local and s.deleted_at is null and a.uri = $authorUri`,
)

/** A direct status with silent mentions is shown with another visibility, so its version changes. */
const changeDirect = statement<{ params: { statusIds: readonly string[] }; row: { id: string; created_at: Date } }>(
  `update statuses set version = version + 1 where id = any($statusIds::bigint[]) and visibility = 'direct'
   returning id, created_at`,
)

/** Adds mentions to remote statuses, except of accounts that they mention already. */
export async function mentionAccounts(tx: Tx, mentions: readonly Mention[]): Promise<void> {
  await insertMentions(tx, mentions)
}

/** Does so, and returns the ids of the statuses that got mentions. */
async function insertMentions(tx: Tx, mentions: readonly Mention[]): Promise<string[]> {
  if (mentions.length === 0) return []
  const rows = await insert(tx.db, {
    statusIds: mentions.map(({ statusId }) => statusId),
    authorIds: mentions.map(({ authorId }) => authorId),
    recipientIds: mentions.map(({ recipientId }) => recipientId),
    areSilent: mentions.map(({ isSilent }) => isSilent),
  })
  return [...new Set(rows.map((row) => row.status_id))]
}

/**
 * Lets local accounts read stored remote statuses, because their authors delivered them to the inboxes of these
 * accounts. A recent direct status is added to the home feeds of those that follow the author (`status.reader_added`).
 */
export async function addReaders(tx: Tx, readers: readonly Omit<Mention, 'isSilent'>[]): Promise<void> {
  const statusIds = await insertMentions(
    tx,
    readers.map((reader) => ({ ...reader, isSilent: true })),
  )
  if (statusIds.length === 0) return
  for (const { id, created_at: publishedAt } of await changeDirect(tx.db, { statusIds }))
    if (isRecent(tx, publishedAt)) tx.emit('status.reader_added', { statusId: id })
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
  await addReaders(tx, [{ statusId, authorId, recipientId: readerId }])
  return true
}
