import { NotFoundError } from '../../../lib/errors.ts'
import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import { ViewerCache } from '../../../platform/db/viewer-cache.ts'
import type { CachedRead, Read } from '../../context.ts'
import { readKeysetBatches, keysetBatchReader } from '../../core/keyset-batches.ts'
import { filterVisibleStatuses } from '../../access/find-visible-statuses.ts'
import {
  FILTER_PARAMETERS,
  filterParameters,
  matchesFilter,
  matchesType,
  isVisibleNotification,
  isVisibleExceptStatus,
} from './notification-visibility.ts'
import type { NotificationFilter } from './notification-visibility.ts'

/** The columns of a notification, or of the newest one of a group, that refer to its subject. */
export interface NotificationSubjectRow {
  /** The account that caused it. */
  from_account_id: string
  /** A `NotificationType`, or an unknown type created by a newer version. */
  type: string
  status_id: string | null
  collection_id: string | null
  report_id: string | null
  severance_id: string | null
  warning_id: string | null
  annual_report_id: string | null
}

/** A notification as stored. */
export interface NotificationRow extends NotificationSubjectRow {
  id: string
  group_key: string | null
  filtered: boolean
  /** `YYYY-MM-DDThh:mm:ss.sssZ` */
  created_at: string
}

const COLUMNS = `n.id, n.from_account_id, n.type, n.status_id, n.collection_id, n.report_id, n.severance_id,
  n.warning_id, n.annual_report_id, n.group_key, n.filtered,
  to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at`

/** The parameters of the keyset query. */
interface NotificationsQuery {
  account: string
  types: readonly string[] | null
  excluded_types: readonly string[]
  from_account: string | null
  include_filtered: boolean
}

const FILTER = {
  types: 'requested.types',
  excludedTypes: 'requested.excluded_types',
  fromAccount: 'requested.from_account',
  includeFiltered: 'requested.include_filtered',
}

/** The suffix of the cache keys of filtered notifications. */
const FILTERED_SUFFIX = 'f'

const readerOf = (rows: { table: string; where: string }) =>
  keysetBatchReader<NotificationsQuery>({
    columns: {
      account: 'bigint',
      types: 'text[]',
      excluded_types: 'text[]',
      from_account: 'bigint',
      include_filtered: 'boolean',
    },
    alias: 'n',
    id: 'id',
    rowText: `concat(n.id, case when n.filtered then '${FILTERED_SUFFIX}' end)`,
    filter: matchesFilter('n', FILTER),
    ...rows,
  })

const reader = readerOf({ table: 'notifications', where: 'n.account_id = requested.account' })

/** The number of notifications up to which types are rare: as many as a batch scans. */
const MAX_RARE = 5_000

// The order is that of the unique index, which begins with the account and the type. `offset 0` retains it.
const ofType = (account: string, type: string) =>
  `(select * from notifications where account_id = ${account} and type = ${type} order by from_account_id offset 0)`

/** Reads all notifications of the requested types, which are distinct. */
const rareTypesReader = readerOf({
  table: `(select n.* from unnest(requested.types) requested_type (name), lateral ${ofType('requested.account', 'name')} n)`,
  where: 'true',
})

// Each step reads the next type in the unique index.
const findRequestedTypes = statement<{
  params: { accountId: string; types: readonly string[] | null; excludedTypes: readonly string[] }
  row: { types: string[]; areRare: boolean }
}>(
  `with recursive existing (type) as (
     select min(type) from notifications where account_id = $accountId
     union all
     select (select min(n.type) from notifications n where n.account_id = $accountId and n.type > existing.type)
     from existing where existing.type is not null
   ), requested as materialized (
     select n.type from existing n where n.type is not null and ${matchesType('n', FILTER_PARAMETERS)}
   )
   select array(select type from requested) as types, count(*) <= ${MAX_RARE} as "areRare"
   from (select from requested, lateral ${ofType('$accountId', 'requested.type')} n limit ${MAX_RARE + 1}) n`,
)

const keyOf = ({ id, filtered }: NotificationRow) => (filtered ? id + FILTERED_SUFFIX : id)
const idOf = (word: string) => (word.endsWith(FILTERED_SUFFIX) ? word.slice(0, -FILTERED_SUFFIX.length) : word)

// Found by their ids: `offset 0` prevents a plan that reads all notifications of the account.
const select = statement<{ params: { viewerId: string; missingIds: readonly string[] }; row: NotificationRow }>(
  `select ${COLUMNS}
   from unnest($missingIds::bigint[]) missing (id),
     lateral (select * from notifications where id = missing.id offset 0) n
   where ${isVisibleExceptStatus('n', '$viewerId')}`,
)

/** A row never changes, except for `filtered`, which is part of its key. */
const cache = new ViewerCache<NotificationRow>({
  valueBytes: 370,
  isInvalidated: (invalidations, { value, since }) =>
    invalidations.isInvalidated('account', value.from_account_id, since),
})

/** Returns a page of an account's notifications, the latest first. */
export async function listNotifications(
  read: CachedRead,
  { accountId, page, ...filter }: { accountId: string; page: Page } & NotificationFilter,
): Promise<NotificationRow[]> {
  const { types, excludedTypes, fromAccountId, includeFiltered } = filterParameters(filter)
  return readKeysetBatches(read.db, {
    reader: createReader(),
    query: {
      account: accountId,
      types,
      excluded_types: excludedTypes,
      from_account: fromAccountId,
      include_filtered: includeFiltered,
    },
    page,
    idOf,
    filterRows: async (words) => findShown(read, { words, viewerId: accountId }),
  })
}

/**
 * Returns a reader of one page. If its first batch does not fill the page, the requested types may be rare among very
 * many notifications.
 */
function createReader(): typeof reader {
  let batches = 0
  let rareTypes: readonly string[] | null = null
  return async (db, { query, ...input }) => {
    batches += 1
    if (batches === 2 && (query.types !== null || query.excluded_types.length > 0)) {
      const { account: accountId, types, excluded_types: excludedTypes } = query
      const [found] = await findRequestedTypes(db, { accountId, types, excludedTypes })
      if (found!.areRare) rareTypes = found!.types
    }
    return rareTypes === null
      ? reader(db, { query, ...input })
      : rareTypesReader(db, { query: { ...query, types: rareTypes }, ...input })
  }
}

/** Returns the notifications whose account and status are visible to the viewer. */
async function findShown(
  read: CachedRead,
  { words, viewerId }: { words: string[]; viewerId: string },
): Promise<NotificationRow[]> {
  const load = async (missing: string[]) => {
    const rows = await select(read.db, { viewerId, missingIds: missing.map(idOf) })
    return rows.map((row) => [keyOf(row), row] as const)
  }
  const found = await cache.find(read.invalidations, { viewerId, keys: words, load })
  const rows = found.filter((row) => row !== undefined)
  const ids = new Set<string>()
  for (const { status_id: id } of rows) if (id !== null) ids.add(id)
  const visible = new Set(await filterVisibleStatuses(read, { ids: [...ids], viewerId }))
  return rows.filter(({ status_id: id }) => id === null || visible.has(id))
}

const findOne = statement<{ params: { accountId: string; id: string }; row: NotificationRow }>(
  `select ${COLUMNS} from notifications n where n.id = $id and ${isVisibleNotification('n')}`,
)

/** Returns a visible notification of the account, filtered or not. @throws NotFoundError */
export async function findNotification(
  read: Read,
  { id, accountId }: { id: string; accountId: string },
): Promise<NotificationRow> {
  const [row] = await findOne(read.db, { accountId, id })
  if (!row) throw new NotFoundError()
  return row
}
