import { writeCsv } from '../../../lib/text/csv.ts'
import { statement } from '../../../platform/db/statement.ts'
import { visibleInExport } from '../../access/visible-in-export.ts'
import type { Read } from '../../context.ts'

/** How many rows one statement reads. */
const BATCH_SIZE = 1_000

/** The lists of an account that are exported as CSV, by the names of Mastodon's files. */
export type CsvExport = 'follows' | 'mutes' | 'blocks' | 'domain_blocks' | 'bookmarks' | 'lists'

interface Batch {
  accountId: string
  /** The id of the last row of the batch before. */
  after: string
}

interface CsvFormat {
  /** null: the file has no header. */
  header: readonly string[] | null
  /** Returns the next rows with their ids, in the order of their creation. */
  read(read: Read, batch: Batch): Promise<{ id: string; cells: readonly string[] }[]>
}

const NEXT = (id: string) => `and ${id} > $after::bigint order by ${id} limit ${BATCH_SIZE}`
const HANDLE = `a.username || '@' || coalesce(a.domain, $localDomain)`

const selectFollows = statement<{
  params: Batch & { localDomain: string }
  row: { id: string; handle: string; show_reblogs: boolean; notify: boolean; languages: string[] | null }
  notNull: 'handle'
}>(
  `select f.id, ${HANDLE} as handle, f.show_reblogs, f.notify, f.languages
   from follows f join accounts a on a.id = f.target_account_id where f.account_id = $accountId ${NEXT('f.id')}`,
)
const selectMutes = statement<{
  params: Batch & { localDomain: string }
  row: { id: string; handle: string; hide_notifications: boolean }
  notNull: 'handle'
}>(
  `select m.id, ${HANDLE} as handle, m.hide_notifications
   from mutes m join accounts a on a.id = m.target_account_id where m.account_id = $accountId ${NEXT('m.id')}`,
)
const selectBlocks = statement<{
  params: Batch & { localDomain: string }
  row: { id: string; handle: string }
  notNull: 'handle'
}>(
  `select b.id, ${HANDLE} as handle
   from blocks b join accounts a on a.id = b.target_account_id where b.account_id = $accountId ${NEXT('b.id')}`,
)
const selectDomainBlocks = statement<{ params: Batch; row: { id: string; domain: string } }>(
  `select d.id, d.domain from account_domain_blocks d where d.account_id = $accountId ${NEXT('d.id')}`,
)
const selectBookmarks = statement<{ params: Batch; row: { id: string; uri: string } }>(
  `select b.id, s.uri from bookmarks b join statuses s on s.id = b.status_id
   where b.account_id = $accountId and ${visibleInExport('$accountId')} ${NEXT('b.id')}`,
)
const selectListMembers = statement<{
  params: Batch & { localDomain: string }
  row: { id: string; title: string; handle: string }
  notNull: 'handle'
}>(
  `select m.id, l.title, ${HANDLE} as handle
   from lists l join list_accounts m on m.list_id = l.id join accounts a on a.id = m.account_id
   where l.account_id = $accountId ${NEXT('m.id')}`,
)

/** The files, as Mastodon writes them. Local accounts have the domain of this server. */
const FORMATS: Readonly<Record<CsvExport, CsvFormat>> = {
  follows: {
    header: ['Account address', 'Show boosts', 'Notify on new posts', 'Languages'],
    read: async ({ db, config }, batch) => {
      const rows = await selectFollows(db, { ...batch, localDomain: config.localDomain })
      return rows.map(({ id, handle, show_reblogs: showReblogs, notify, languages }) => ({
        id,
        cells: [handle, String(showReblogs), String(notify), languages?.join(', ') ?? ''],
      }))
    },
  },
  mutes: {
    header: ['Account address', 'Hide notifications'],
    read: async ({ db, config }, batch) => {
      const rows = await selectMutes(db, { ...batch, localDomain: config.localDomain })
      return rows.map(({ id, handle, hide_notifications: hides }) => ({ id, cells: [handle, String(hides)] }))
    },
  },
  blocks: {
    header: null,
    read: async ({ db, config }, batch) => {
      const rows = await selectBlocks(db, { ...batch, localDomain: config.localDomain })
      return rows.map(({ id, handle }) => ({ id, cells: [handle] }))
    },
  },
  domain_blocks: {
    header: null,
    read: async ({ db }, batch) =>
      (await selectDomainBlocks(db, batch)).map(({ id, domain }) => ({ id, cells: [domain] })),
  },
  bookmarks: {
    header: null,
    read: async ({ db }, batch) => (await selectBookmarks(db, batch)).map(({ id, uri }) => ({ id, cells: [uri] })),
  },
  lists: {
    header: null,
    read: async ({ db, config }, batch) => {
      const rows = await selectListMembers(db, { ...batch, localDomain: config.localDomain })
      return rows.map(({ id, title, handle }) => ({ id, cells: [title, handle] }))
    },
  },
}

/**
 * Returns a list of an account as CSV in Mastodon's format, in parts of some thousand lines (Mastodon: GET
 * /settings/exports/follows.csv and others).
 */
export async function* exportCsv(
  read: Read,
  { accountId, kind }: { accountId: string; kind: CsvExport },
): AsyncGenerator<string> {
  const format = FORMATS[kind]
  if (format.header) yield writeCsv([format.header])
  let after = '0'
  for (;;) {
    const rows = await format.read(read, { accountId, after })
    if (rows.length > 0) yield writeCsv(rows.map(({ cells }) => cells))
    if (rows.length < BATCH_SIZE) return
    after = rows.at(-1)!.id
  }
}
