import type { CachedRead } from '../../domain/context.ts'
import type {
  Account,
  AccountCounters,
  AccountForViewer,
  AccountProfile,
  AccountShared,
  PartialAccountWithAvatar,
} from '../../entities/accounts/account.ts'
import { compactJson, createFragment, extendFragment, joinFragment, startOf } from '../../lib/json/fragment.ts'
import type { Complete } from '../../lib/json/entity-json.ts'
import type { Fragment } from '../../lib/json/fragment.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import type { Config } from '../../platform/config/config.ts'
import { Cache } from '../../platform/db/cache.ts'
import type { Epoch } from '../../platform/db/invalidations.ts'
import { statement } from '../../platform/db/statement.ts'
import { emojisOf, renderCustomEmojis } from '../emojis/render-emojis.ts'
import type { EmojiRow } from '../emojis/render-emojis.ts'
import { ACCOUNT_COLUMNS, ACCOUNT_TABLES, accountProfile, loadAccounts } from './account-profile.ts'
import type { AccountRow } from './account-profile.ts'
import { featureApprovalOf } from './feature-approval.ts'
import type { FeatureApproval } from './feature-approval.ts'

/** The part of an account that changes only with its version. */
interface VersionedPart {
  profile: Fragment<AccountProfile>
  /** Who may feature the account. `current_user` is that of a viewer without a relationship to it. */
  approval: FeatureApproval
  /** null: the account has moved, but is suspended. */
  moved: EntityJson<Account> | null | undefined
  /** The start of the profile. */
  partial: Fragment<PartialAccountWithAvatar>
}

/** The part of an account that is equal for all viewers. */
export interface AccountRecord extends VersionedPart {
  id: string
  version: number
  shared: Fragment<AccountShared>
  /** The account as it is nested in statuses and notifications, where `current_user` ignores the viewer. */
  json: EntityJson<Account>
}

/** Columns that change without a new version of the account. */
interface CountersRow extends CounterColumns {
  id: string
  version: number
  emojis: EmojiRow[] | null
}

/** The counters of an account. */
export interface CounterColumns {
  /** Whether the account has moved. Its entity then contains the account that it moved to. */
  moved: boolean
  followers_count: number
  following_count: number
  statuses_count: number
  last_status_at: Date | null
}

/** The columns of `CounterColumns`, from the aliases `a` of `accounts` and `st` of `account_stats`. */
export const COUNTER_COLUMNS = `a.moved_to_account_id is not null as moved,
     st.followers_count, st.following_count, st.statuses_count, st.last_status_at`

/**
 * SQL for the `EmojiRow`s of an account, from the alias `a` of `accounts`; null for none and for a suspended account.
 */
export const ACCOUNT_EMOJIS = `case when a.suspended_at is null then ${emojisOf('a.emoji_ids')} end`

const COUNTERS_ROW = `${ACCOUNT_EMOJIS} as emojis, ${COUNTER_COLUMNS}`

const selectCounters = statement<{ params: { ids: readonly string[] }; row: CountersRow }>(
  `select a.id, a.version, ${COUNTERS_ROW}
   from accounts a join account_stats st on st.account_id = a.id where a.id = any($ids::bigint[])`,
)

type CompleteRow = AccountRow & CountersRow

const selectComplete = statement<{ params: { ids: readonly string[] }; row: CompleteRow }>(
  `select ${ACCOUNT_COLUMNS}, ${COUNTERS_ROW}
   from ${ACCOUNT_TABLES} join account_stats st on st.account_id = a.id where a.id = any($ids::bigint[])`,
)

const RECORD_BYTES = 500

const cache = new Cache<AccountRecord>({
  isInvalidated: (invalidations, { value, since }) =>
    invalidations.isInvalidated('account', value.id, since) ||
    invalidations.isInvalidated('account counters', value.id, since),
})

/** Returns accounts by their ids, from the cache or the database; unknown ids have no entry. */
export async function findAccountRecords(
  read: CachedRead,
  { ids }: { ids: Iterable<string> },
): Promise<Map<string, AccountRecord>> {
  const { invalidations } = read
  const found = new Map<string, AccountRecord>()
  const missing: string[] = []
  for (const id of ids) {
    const record = cache.get(invalidations, id)
    if (record === undefined) missing.push(id)
    else found.set(id, record)
  }
  if (missing.length === 0) return found
  const since = invalidations.epoch
  const isKnown = (id: string) => cache.peek(invalidations, id) !== undefined
  const [known, unknown] = [missing.filter(isKnown), missing.filter((id) => !isKnown(id))]
  const counters = known.length === 0 ? [] : await selectCounters(read.db, { ids: known })
  const complete = unknown.length === 0 ? [] : await selectComplete(read.db, { ids: unknown })
  const parts = await findVersionedParts(read, { counters, complete })
  for (const row of [...counters, ...complete]) {
    const part = parts.get(row.id)
    if (part !== undefined) found.set(row.id, cacheRecord(read, { row, part, since }))
  }
  return found
}

function cacheRecord(
  { config, invalidations }: CachedRead,
  { row, part, since }: { row: CountersRow; part: VersionedPart; since: Epoch },
): AccountRecord {
  const record = createRecord(config, row, part)
  // The account that this one moved to invalidates only its own record.
  if (!row.moved) cache.set(invalidations, row.id, { value: record, since, bytes: bytesOf(record) })
  return record
}

/**
 * Updates the cached record of an account with counters that were read with something else. `since`: the epoch before
 * they were read. Does nothing if this version of the account is not cached.
 */
export function cacheAccountCounters(read: CachedRead, { row, since }: { row: CountersRow; since: Epoch }): void {
  const part = cache.peek(read.invalidations, row.id)
  if (part?.version === row.version) cacheRecord(read, { row, part, since })
}

/** Returns the fields of an account for a viewer, or those that ignore the viewer. */
export function accountForViewer(
  { moved, approval }: AccountRecord,
  feature_approval = approval,
): Complete<AccountForViewer> {
  return { feature_approval, moved }
}

/** Returns an account as grouped notifications contain all but their first accounts, if the client wishes. */
export function partialAccount({ partial }: AccountRecord): EntityJson<PartialAccountWithAvatar> {
  return joinFragment<PartialAccountWithAvatar, PartialAccountWithAvatar>(partial, {})
}

/** The versioned part of a cached record stays valid as long as the version is the same. */
async function findVersionedParts(
  read: CachedRead,
  { counters, complete }: { counters: readonly CountersRow[]; complete: readonly CompleteRow[] },
): Promise<Map<string, VersionedPart>> {
  const parts = new Map<string, VersionedPart>()
  for (const { id, version } of counters) {
    const record = cache.peek(read.invalidations, id)
    if (record?.version === version) parts.set(id, record)
  }
  const changed = await loadAccounts(read, {
    ids: counters.filter(({ id }) => !parts.has(id)).map(({ id }) => id),
  })
  const accounts = [...changed, ...complete]
  const targets = await renderMovedTo(read, accounts)
  for (const row of accounts) {
    const target = row.moved_to_account_id
    const moved = target !== null && row.suspended ? null : targets.get(target ?? '')
    parts.set(row.id, versionedPartOf(read.config, row, moved))
  }
  return parts
}

async function renderMovedTo(
  read: CachedRead,
  accounts: readonly AccountRow[],
): Promise<Map<string, EntityJson<Account>>> {
  const ids = accounts.flatMap((row) => (row.suspended ? [] : (row.moved_to_account_id ?? [])))
  if (ids.length === 0) return new Map()
  const targets = await selectComplete(read.db, { ids })
  return new Map(
    targets.map((row) => [row.id, createRecord(read.config, row, versionedPartOf(read.config, row, undefined)).json]),
  )
}

function versionedPartOf(config: Config, row: AccountRow, moved: VersionedPart['moved']): VersionedPart {
  const profile = accountProfile(config, row)
  const { id, acct, locked, bot, url, avatar, avatar_static, avatar_description, ...others } = profile
  const partial = createFragment<PartialAccountWithAvatar>({
    id,
    acct,
    locked,
    bot,
    url,
    avatar,
    avatar_static,
    avatar_description,
  })
  return {
    partial,
    profile: extendFragment<PartialAccountWithAvatar, Omit<AccountProfile, keyof PartialAccountWithAvatar>>(
      partial,
      others,
    ),
    approval: featureApprovalOf(row),
    moved,
  }
}

function createRecord(config: Config, row: CountersRow, part: VersionedPart): AccountRecord {
  const { approval, moved, partial, profile } = part
  const shared = extendFragment<AccountProfile, AccountCounters>(profile, {
    emojis: renderCustomEmojis(config, row.emojis),
    followers_count: row.followers_count,
    following_count: row.following_count,
    statuses_count: row.statuses_count,
    last_status_at: row.last_status_at?.toISOString().slice(0, 10) ?? null,
  })
  const compact = compactJson(joinFragment<Account, AccountShared>(shared, { feature_approval: approval, moved }))
  return {
    id: row.id,
    version: row.version,
    shared: startOf(compact.utf8, shared),
    profile: startOf(compact.utf8, profile),
    partial: startOf(compact.utf8, partial),
    approval,
    moved,
    json: compact.json,
  }
}

function bytesOf({ shared }: AccountRecord): number {
  return RECORD_BYTES + shared.bytes.length
}
