import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import type { ExportedFilter } from '../exports/export-filters.ts'
import { filterStatus } from '../../filters/filter-status.ts'
import { createFilter, updateFilter } from '../../filters/write-filter.ts'
import { addMembers } from '../../lists/list-members.ts'
import { checkTitle } from '../../lists/check-title.ts'
import { createList } from '../../lists/create-list.ts'
import { blockAccount } from '../../relationships/blocks/block-account.ts'
import { blockDomain } from '../../relationships/domain-blocks/block-domain.ts'
import { followAccount } from '../../relationships/follows/follow-account.ts'
import { muteAccount } from '../../relationships/mutes/mute-account.ts'
import { bookmarkStatus } from '../../statuses/interactions/bookmark-status.ts'
import type { ImportType } from './import-formats.ts'

interface Row {
  accountId: string
  cells: readonly string[]
  /** `resolveRows`. */
  targetIds: readonly string[]
}

const findList = statement<{
  params: { accountId: string; title: string; memberId: string }
  row: { id: string; is_member: boolean }
  notNull: 'is_member'
}>(
  `select l.id, exists (select from list_accounts m where m.list_id = l.id and m.account_id = $memberId) as is_member
   from lists l where l.account_id = $accountId and l.title = $title order by l.id limit 1`,
)
const findFilter = statement<{
  params: { accountId: string; title: string }
  row: { id: string; keywords: string[]; statuses: string[] }
  notNull: 'keywords' | 'statuses'
}>(
  `select f.id, array(select keyword from filter_keywords where filter_id = f.id) as keywords,
     array(select status_id::text from filter_statuses where filter_id = f.id) as statuses
   from filters f where f.account_id = $accountId and f.title = $title order by f.id limit 1`,
)

const APPLY: Readonly<Record<ImportType, (tx: Tx, row: Row) => Promise<unknown>>> = {
  following: (tx, { accountId, cells: [, boosts = '', notify = '', languages = ''], targetIds: [targetAccountId] }) =>
    followAccount(tx, {
      accountId,
      targetAccountId: targetAccountId!,
      options: {
        showReblogs: readBoolean(boosts),
        notify: readBoolean(notify),
        languages: languages === '' ? undefined : languages.split(',').map((code) => code.trim()),
      },
    }),
  lists: addToList,
  muting: (tx, { accountId, cells: [, hides = ''], targetIds: [targetAccountId] }) =>
    muteAccount(tx, { accountId, targetAccountId: targetAccountId!, hideNotifications: readBoolean(hides) }),
  blocking: (tx, { accountId, targetIds: [targetAccountId] }) =>
    blockAccount(tx, { accountId, targetAccountId: targetAccountId! }),
  domain_blocking: (tx, { accountId, cells: [domain = ''] }) => blockDomain(tx, { accountId, domain }),
  bookmarks: (tx, { accountId, targetIds: [statusId] }) => bookmarkStatus(tx, { accountId, statusId: statusId! }),
  filters: saveFilter,
}

/** Applies a row of an import by the same operation as a request of the user. @throws RequestError if it is refused */
export async function applyRow(tx: Tx, { type, ...row }: Row & { type: ImportType }): Promise<void> {
  await APPLY[type](tx, row)
}

/** Adds an account to the list with this title, which it creates, and follows the account, as members require it. */
async function addToList(tx: Tx, { accountId, cells: [title = ''], targetIds }: Row): Promise<void> {
  const memberId = targetIds[0]!
  const checkedTitle = checkTitle(title)
  if (memberId !== accountId) await followAccount(tx, { accountId, targetAccountId: memberId })
  const [found] = await findList(tx.db, { accountId, title: checkedTitle, memberId })
  if (found?.is_member) return
  const { id: listId } = found ?? (await createList(tx, { accountId, title: checkedTitle }))
  await addMembers(tx, { accountId, listId, memberIds: [memberId] })
}

/** Creates a filter, or extends and updates the one with the same title. */
async function saveFilter(tx: Tx, { accountId, cells, targetIds }: Row): Promise<void> {
  const entry = JSON.parse(cells[0]!) as ExportedFilter
  const { title, context: contexts, action, keywords_attributes: keywords } = entry
  const [found] = await findFilter(tx.db, { accountId, title })
  const attributes = {
    title,
    contexts,
    action: action as 'warn' | 'hide' | 'blur',
    expiresInSeconds: secondsUntil(entry.expires_at, tx.now),
    keywords: keywords
      .filter(({ keyword }) => !found?.keywords.includes(keyword))
      .map(({ keyword, whole_word: wholeWord }) => ({ keyword, wholeWord })),
  }
  if (found) await updateFilter(tx, { accountId, id: found.id, attributes })
  const filterId = found?.id ?? (await createFilter(tx, { accountId, attributes }))
  for (const statusId of new Set(targetIds)) {
    if (!found?.statuses.includes(statusId)) await filterStatus(tx, { accountId, filterId, statusId })
  }
}

/** Returns the seconds until a filter expires, negative if it has expired; 0: it does not expire. */
function secondsUntil(expiresAt: string | null, now: Date): number {
  if (expiresAt === null) return 0
  return (Date.parse(expiresAt) - now.getTime()) / 1000 || -1
}

/** Returns undefined for an empty cell, which keeps the present value or the default. */
function readBoolean(cell: string): boolean | undefined {
  if (cell === '') return undefined
  return !['false', 'f', '0', 'off', 'no'].includes(cell.toLowerCase())
}
