import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'

/** How many cached files a step examines. */
const BATCH_SIZE = 500

const ATTACHMENT_RENDITIONS = ['original', 'small']
const PROFILE_RENDITIONS = ['avatar', 'header', 'emoji']

/** Selects cached files by the time since which they were not viewed. */
export interface UnusedFiles {
  before: Date
  /** Also avatars, headers and emojis. */
  profiles: boolean
  /** Only files of this domain; null: of all. */
  domain: string | null
  /** Retains attachments of statuses with which local accounts interacted. */
  keepInteracted: boolean
}

/** What a step did. */
interface UnusedBatch {
  /** Where the next step begins; null: all files were examined. */
  cursor: string | null
  examined: number
  files: number
  bytes: number
}

interface Parameters {
  after: string
  before: Date
  renditions: readonly string[]
  domain: string | null
  keepInteracted: boolean
}

interface BatchRow {
  last: string | null
  examined: number
  files: number
  bytes: string
}

const isLocal = (account: string) => `exists (select from accounts l where l.id = ${account} and l.domain is null)`

/** An SQL condition: whether local accounts interacted with the status of the attachment `m`. */
const HAS_LOCAL_INTERACTION = `(
  exists (select from favourites f where f.status_id = m.status_id and ${isLocal('f.account_id')})
  or exists (select from bookmarks b where b.status_id = m.status_id)
  or exists (select from statuses r where r.reblog_of_id = m.status_id and r.local)
  or exists (select from statuses r where r.in_reply_to_id = m.status_id and r.local)
  or exists (select from quotes q where q.quoted_status_id = m.status_id and ${isLocal('q.account_id')}))`

// Each step reads a batch of rows by the primary key, whether or not any of them are selected.
const UNUSED = `scanned as (
    select id, media_id, account_id, emoji_id, rendition, file_key, byte_size, used_at from cached_files
    where id > $after order by id limit ${BATCH_SIZE}
  ), unused as (
    select s.id, s.byte_size from scanned s left join media_attachments m on m.id = s.media_id
      left join accounts a on a.id = coalesce(s.account_id, m.account_id)
      left join custom_emojis e on e.id = s.emoji_id
    where s.file_key is not null and s.used_at < $before and s.rendition = any($renditions::text[])
      and ($domain::text is null or coalesce(a.domain, e.domain) = $domain)
      and not ($keepInteracted and ${HAS_LOCAL_INTERACTION})
  )`
const totalsOf = (table: string) => `(select case when count(*) = ${BATCH_SIZE} then max(id) end from scanned) as last,
    (select count(*)::int from scanned) as examined, (select count(*)::int from ${table}) as files,
    (select coalesce(sum(byte_size), 0)::text from ${table}) as bytes`
const count = statement<{ params: Parameters; row: BatchRow; notNull: 'examined' | 'files' | 'bytes' }>(
  `with ${UNUSED} select ${totalsOf('unused')}`,
)
const evict = statement<{
  params: Parameters
  row: BatchRow & { keys: string[] }
  notNull: 'examined' | 'files' | 'bytes' | 'keys'
}>(
  `with ${UNUSED}, evicted as (
     delete from cached_files c where c.id = any(array(select id from unused)) and c.used_at < $before
     returning c.byte_size, c.file_key, c.static_key
   )
   select ${totalsOf('evicted')}, array(select file_key from evicted where file_key is not null
     union all select static_key from evicted where static_key is not null) as keys`,
)

/** Counts the unused files among the next ones. */
export async function countUnusedFiles(
  read: Pick<Read, 'db'>,
  { unused, cursor }: { unused: UnusedFiles; cursor: string | null },
): Promise<UnusedBatch> {
  const [row] = await count(read.db, parametersOf(unused, cursor))
  return batchOf(row!)
}

/** Evicts the unused files among the next ones; jobs delete them from the storage. */
export async function evictUnusedFiles(
  tx: Tx,
  { unused, cursor }: { unused: UnusedFiles; cursor: string | null },
): Promise<UnusedBatch> {
  const [row] = await evict(tx.db, parametersOf(unused, cursor))
  const { keys } = row!
  if (keys.length > 0) tx.emit('media.removed', { mediaKeys: keys })
  return batchOf(row!)
}

function parametersOf({ profiles, ...unused }: UnusedFiles, cursor: string | null): Parameters {
  const renditions = profiles ? [...ATTACHMENT_RENDITIONS, ...PROFILE_RENDITIONS] : ATTACHMENT_RENDITIONS
  return { ...unused, renditions, after: cursor ?? '0' }
}

function batchOf({ last, examined, files, bytes }: BatchRow): UnusedBatch {
  return { cursor: last, examined, files, bytes: Number(bytes) }
}
