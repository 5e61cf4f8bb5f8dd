import { NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
import type { NotificationSubjectRow } from './list-notifications.ts'
import { hasActiveSender, isVisibleNotification } from './notification-visibility.ts'

/** The maximum count of notifications in a group, because each page counts its groups again. */
const MAX_COUNT = 10_000

/** The maximum number of sample accounts of a group. */
const SAMPLES = 8

const UNGROUPED = 'ungrouped-'

/**
 * A group of notifications (Mastodon: NotificationGroup), or one that is not grouped, with the subject of its newest
 * notification.
 */
export interface NotificationGroupRow extends NotificationSubjectRow {
  key: string
  /** The newest notification of the group, which represents it. */
  newestId: string
  count: number
  sampleAccountIds: string[]
  /** The oldest and newest notification of the group on this page, and the time of the newest. */
  pageMinId: string
  pageMaxId: string
  latestAt: Date
}

/**
 * Returns SQL for the columns of a `NotificationGroupRow`, of the positions in the table `page`. `matches` returns the
 * condition for the notifications of a group that count, besides that their senders are not suspended. `pageStart`: the
 * lowest id that belongs to the page.
 */
export function groupsSql(matches: (n: string) => string, pageStart = '(select min(id) from page)'): string {
  const group = `from notifications n where n.account_id = $accountId and n.group_key = page.key
         and ${hasActiveSender('n')} and ${matches('n')}`
  return `select coalesce(page.key, '${UNGROUPED}' || page.id) as key, page.id as "newestId",
     newest.from_account_id, newest.type, newest.status_id, newest.collection_id, newest.report_id, newest.severance_id,
     newest.warning_id, newest.annual_report_id,
     case when page.key is null then 1 else (
       select count(*)::int from (select ${group} limit ${MAX_COUNT}) n) end as count,
     case when page.key is null then array[newest.from_account_id] else array(
       select n.from_account_id ${group} and n.id <= page.id
       order by n.id desc limit ${SAMPLES}) end as "sampleAccountIds",
     case when page.key is null then page.id else (
       select n.id ${group} and n.id >= ${pageStart}
       order by n.id limit 1) end as "pageMinId",
     page.id as "pageMaxId", newest.created_at as "latestAt"
   from page join notifications newest on newest.id = page.id`
}

const selectGroup = statement<{
  params: { accountId: string; id: string; key: string | null }
  row: NotificationGroupRow
}>(`with page as (select $id::bigint as id, $key::text as key) ${groupsSql((n) => `${n}.filtered = newest.filtered`)}`)

const findByKey = statement<{ params: { accountId: string; key: string }; row: { id: string } }>(
  `select n.id from notifications n where n.group_key = $key and ${isVisibleNotification('n')} order by n.id desc limit 1`,
)
const findById = statement<{ params: { accountId: string; ungroupedId: string }; row: { id: string } }>(
  `select n.id from notifications n where n.id = $ungroupedId and ${isVisibleNotification('n')}`,
)

/** Returns a group of the account's notifications by its key. @throws NotFoundError also if all of it is hidden */
export async function findGroup(
  read: Read,
  { accountId, key }: { accountId: string; key: string },
): Promise<NotificationGroupRow> {
  const ungroupedId = ungroupedIdOf(key)
  const [row] =
    ungroupedId === null
      ? await findByKey(read.db, { accountId, key })
      : await findById(read.db, { accountId, ungroupedId })
  if (!row) throw new NotFoundError()
  const [group] = await selectGroup(read.db, { accountId, id: row.id, key: ungroupedId === null ? key : null })
  if (!group) throw new NotFoundError()
  return group
}

const senderPage = keysetClause('n.id')
const senderStatement = (order: string) =>
  statement<{
    params: { accountId: string; key: string; id: string | null } & PageParameters
    row: { id: string; account_id: string }
  }>(
    `select n.id, n.from_account_id as account_id from notifications n
     where ${isVisibleNotification('n')} and ($id::bigint is null and n.group_key = $key or n.id = $id)
       and ${senderPage.where} ${order}`,
  )
const sendersDescending = senderStatement(senderPage.descending)
const sendersAscending = senderStatement(senderPage.ascending)

/** Returns a page of the senders of a group, latest first; `id`: the id of the notification, which is the cursor. */
export async function listGroupSenders(
  read: Read,
  { accountId, key, page }: { accountId: string; key: string; page: Page },
): Promise<{ id: string; account_id: string }[]> {
  const values = { accountId, key, id: ungroupedIdOf(key), ...pageParameters(page) }
  return readKeysetPage(page, {
    descending: () => sendersDescending(read.db, values),
    ascending: () => sendersAscending(read.db, values),
  })
}

const removeGroup = statement<{ params: { accountId: string; key: string } }>(
  `delete from notifications where account_id = $accountId and group_key = $key`,
)
const removeOne = statement<{ params: { accountId: string; ungroupedId: string } }>(
  `delete from notifications where account_id = $accountId and id = $ungroupedId`,
)

/** Deletes a group of the account's notifications, if it exists. */
export async function dismissGroup(tx: Tx, { accountId, key }: { accountId: string; key: string }): Promise<void> {
  const ungroupedId = ungroupedIdOf(key)
  await (ungroupedId === null ? removeGroup(tx.db, { accountId, key }) : removeOne(tx.db, { accountId, ungroupedId }))
}

/** Returns the id of the ungrouped notification that a key stands for; null for the key of a group. */
function ungroupedIdOf(key: string): string | null {
  if (!key.startsWith(UNGROUPED)) return null
  const id = key.slice(UNGROUPED.length)
  // No notification has the id 0.
  return isId(id) ? id : '0'
}
