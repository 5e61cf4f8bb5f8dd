import type { CachedRead, Read } from '../../domain/context.ts'
import type { Status, StatusContent, StatusCounters, StatusShared } from '../../entities/statuses/status.ts'
import { createFragment, extendFragment, startOf } from '../../lib/json/fragment.ts'
import type { Complete } from '../../lib/json/entity-json.ts'
import type { Fragment } from '../../lib/json/fragment.ts'
import { shareEqual } from '../../lib/memory/share-equal.ts'
import type { Config } from '../../platform/config/config.ts'
import { Cache } from '../../platform/db/cache.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Epoch } from '../../platform/db/invalidations.ts'
import { createCardRecord } from '../cards/render-cards.ts'
import type { CardRecord } from '../cards/render-cards.ts'
import { collectionUrlsIn } from '../collections/linked-collections.ts'
import { emojisOf, renderCustomEmojis } from '../emojis/render-emojis.ts'
import type { EmojiRow } from '../emojis/render-emojis.ts'
import { pollOf } from '../polls/render-polls.ts'
import type { PollRow } from '../polls/render-polls.ts'
import { QUOTE_COLUMNS, QUOTE_POLICY_COLUMNS, quotePolicyOf } from './quotes.ts'
import type { QuotePolicy, QuoteRow } from './quotes.ts'
import { contentColumns, loadStatusContents, statusContent } from './status-content.ts'
import type { StatusContentRow } from './status-content.ts'

/** `public`: whether the author shows it to others. */
interface Application {
  name: string
  website: string | null
  public: boolean
}

/** The columns of a status that are equal for all viewers and change without a new version. */
interface StatusRow extends QuoteRow {
  id: string
  version: number
  account_id: string
  reblog_of_id: string | null
  conversation_id: string | null
  visibility: Status['visibility']
  deleted: boolean
  /** Whether it has a quote. */
  quotes: boolean
  pinned: boolean
  /** Marked by the author. */
  sensitive: boolean
  /** The staff marked all statuses of the author as sensitive. */
  author_sensitized: boolean
  /** The application that posted the status. */
  application: Application | null
  replies_count: number
  reblogs_count: number
  favourites_count: number
  emojis: EmojiRow[] | null
  poll: PollRow | null
}

/** The columns that a record contains. */
export type RecordedRow = Omit<StatusRow, 'quote_automatic' | 'quote_manual'>

/** The part of a status that changes only with its version. */
interface VersionedPart {
  content: Fragment<StatusContent>
  card: CardRecord | null
  /** The links in the text that may lead to collections. */
  collectionUrls: readonly string[]
}

/** The part of a status that is equal for all viewers, without the author, who is cached separately. */
export interface StatusRecord extends VersionedPart {
  row: RecordedRow
  shared: Fragment<StatusShared>
  quotePolicy: QuotePolicy
}

const counter = (name: string) => `greatest(c.${name}, shown.origin_${name}, 0) as ${name}`

/** The columns of a `StatusRow`, from `shownStatuses`. */
const STATUS_COLUMNS = `shown.id, shown.version, shown.account_id, shown.reblog_of_id, shown.conversation_id, shown.visibility,
     shown.deleted_at is not null as deleted, shown.quote_id is not null as quotes,
     shown.sensitive, author.sensitized_at is not null as author_sensitized,
     exists (select from status_pins where status_pins.status_id = shown.id) as pinned,
     (select jsonb_build_object('name', app.name, 'website', app.website, 'public', u.show_application)
        from applications app join users u on u.account_id = shown.account_id
        where app.id = shown.application_id) as application,
     ${['replies_count', 'reblogs_count', 'favourites_count'].map(counter).join(', ')},
     coalesce(c.quotes_count, 0) as quotes_count, ${QUOTE_POLICY_COLUMNS},
     ${emojisOf('shown.emoji_ids')} as emojis, ${pollOf('shown.id')} as poll`

/** Returns the tables of these columns. `condition`: which statuses, over the alias `s` of `statuses`. */
export function shownStatuses(condition: string): string {
  return `(
     select s.*, ${QUOTE_COLUMNS} from statuses s left join quotes quote on quote.status_id = s.id where ${condition}
   ) shown join accounts author on author.id = shown.account_id
     left join status_stats c on c.status_id = shown.id`
}

/** A status with all that its record contains. */
export interface CompleteStatusRow extends StatusRow, StatusContentRow {}

/** The columns of a `CompleteStatusRow`, from `shownStatuses`. */
export const COMPLETE_COLUMNS = `${contentColumns('shown')}, ${STATUS_COLUMNS}`

/** SQL condition for the statuses `$missingIds` and those that they reblog. */
const IS_MISSING = `s.id = any($missingIds::bigint[] || array(
     select b.reblog_of_id from statuses b where b.id = any($missingIds::bigint[]) and b.reblog_of_id is not null))`

const select = statement<{ params: { missingIds: readonly string[] }; row: StatusRow }>(
  `select ${STATUS_COLUMNS} from ${shownStatuses(IS_MISSING)}`,
)
const selectComplete = statement<{ params: { missingIds: readonly string[] }; row: CompleteStatusRow }>(
  `select ${COMPLETE_COLUMNS} from ${shownStatuses(IS_MISSING)}`,
)

const RECORD_BYTES = 600

const cache = new Cache<StatusRecord>({
  isInvalidated: (invalidations, { value: { row }, since }) =>
    invalidations.isInvalidated('status', row.id, since) ||
    invalidations.isInvalidated('status counters', row.id, since) ||
    invalidations.isInvalidated('account', row.account_id, since) ||
    (row.application !== null && invalidations.isInvalidated('user', row.account_id, since)),
  hasExpired: ({ row: { poll } }, now) => poll !== null && hasEnded(poll, now),
})

function hasEnded({ expired, expires_at: expiresAt }: PollRow, now: number): boolean {
  return !expired && expiresAt !== null && Date.parse(expiresAt) <= now
}

/** Returns by their ids the records of these statuses, of those that they reblog, and of those that either quote. */
export async function findStatusRecords(
  read: CachedRead,
  { ids }: { ids: readonly string[] },
): Promise<Map<string, StatusRecord>> {
  const found = new Map<string, StatusRecord>()
  await addRecords(read, { found, ids })
  const reblogged = [...found.values()].flatMap(({ row }) => row.reblog_of_id ?? [])
  if (reblogged.length > 0) await addRecords(read, { found, ids: reblogged })
  const quoted = [...found.values()].flatMap(({ row }) => row.quoted_id ?? []).filter((id) => !found.has(id))
  if (quoted.length > 0) await addRecords(read, { found, ids: quoted })
  for (const id of quoted) if (found.get(id)?.row.deleted) found.delete(id)
  return found
}

async function addRecords(
  read: CachedRead,
  { found, ids }: { found: Map<string, StatusRecord>; ids: readonly string[] },
): Promise<void> {
  const { invalidations } = read
  const missing: string[] = []
  for (const id of ids) {
    const record = found.get(id) ?? cache.get(invalidations, id)
    if (record === undefined) missing.push(id)
    else found.set(id, record)
  }
  if (missing.length === 0) return
  const since = invalidations.epoch
  const isKnown = (id: string) => cache.peek(invalidations, id) !== undefined
  const [known, unknown] = [missing.filter(isKnown), missing.filter((id) => !isKnown(id))]
  const rows = known.length === 0 ? [] : await select(read.db, { missingIds: known })
  const parts = await findVersionedParts(read, rows)
  for (const row of rows) {
    const part = parts.get(row.id)
    if (part !== undefined) found.set(row.id, cacheRecord(read, { row, part, since }))
  }
  const complete = unknown.length === 0 ? [] : await selectComplete(read.db, { missingIds: unknown })
  for (const row of complete) found.set(row.id, cacheStatusRecord(read, { row, since }))
}

function cacheRecord(
  { config, invalidations }: CachedRead,
  { row, part, since }: { row: StatusRow; part: VersionedPart; since: Epoch },
): StatusRecord {
  const shared = extendFragment<StatusContent, StatusCounters>(part.content, statusCounters(config, row))
  const content = startOf(shared, part.content)
  const record = {
    row: recordedRowOf(row),
    shared,
    content,
    quotePolicy: quotePolicyOf(row),
    card: part.card,
    collectionUrls: part.collectionUrls,
  }
  cache.set(invalidations, row.id, { value: record, since, bytes: RECORD_BYTES + shared.bytes.length })
  return record
}

/** Caches the record of a status that was read completely. `since`: the epoch before it was read. */
export function cacheStatusRecord(
  read: CachedRead,
  { row, since }: { row: CompleteStatusRow; since: Epoch },
): StatusRecord {
  return cacheRecord(read, { row, part: versionedPartOf(read.config, row), since })
}

/** How many applications are shared by the records of different statuses. */
const MAX_SHARED_APPLICATIONS = 1_000

const shareApplication = shareEqual<Application>({ max: MAX_SHARED_APPLICATIONS, keyOf: (app) => JSON.stringify(app) })

/** The cache stores the row, so it must not contain the other columns. */
function recordedRowOf(row: StatusRow): RecordedRow {
  return {
    id: row.id,
    version: row.version,
    account_id: row.account_id,
    reblog_of_id: row.reblog_of_id,
    conversation_id: row.conversation_id,
    visibility: row.visibility,
    deleted: row.deleted,
    quotes: row.quotes,
    quoted_id: row.quoted_id,
    quotes_count: row.quotes_count,
    pinned: row.pinned,
    sensitive: row.sensitive,
    author_sensitized: row.author_sensitized,
    application: row.application && shareApplication(row.application),
    replies_count: row.replies_count,
    reblogs_count: row.reblogs_count,
    favourites_count: row.favourites_count,
    emojis: row.emojis,
    poll: row.poll,
  }
}

/** Returns the fields of a status that are equal for all viewers and change without a new version. */
export function statusCounters(config: Config, row: RecordedRow): Complete<StatusCounters> {
  return {
    emojis: renderCustomEmojis(config, row.emojis),
    replies_count: row.replies_count,
    reblogs_count: row.reblogs_count,
    favourites_count: row.favourites_count,
    quotes_count: row.quotes_count,
  }
}

/** The versioned part of a cached record stays valid as long as the version is the same. */
async function findVersionedParts(read: CachedRead, rows: readonly StatusRow[]): Promise<Map<string, VersionedPart>> {
  const cached = new Map<string, VersionedPart>()
  for (const { id, version } of rows) {
    const record = cache.peek(read.invalidations, id)
    if (record?.row.version === version) cached.set(id, record)
  }
  const parts = await loadVersionedParts(
    read,
    rows.filter(({ id }) => !cached.has(id)).map(({ id }) => id),
  )
  for (const [id, part] of cached) parts.set(id, part)
  return parts
}

async function loadVersionedParts(read: Read, ids: readonly string[]): Promise<Map<string, VersionedPart>> {
  const rows = await loadStatusContents(read, { ids })
  return new Map(rows.map((row) => [row.id, versionedPartOf(read.config, row)]))
}

function versionedPartOf(config: Config, row: StatusContentRow): VersionedPart {
  const content = createFragment<StatusContent>(statusContent(config, row))
  return {
    content,
    card: row.card && createCardRecord(config, row.card),
    collectionUrls: collectionUrlsIn(row.is_reblog ? '' : row.content),
  }
}
