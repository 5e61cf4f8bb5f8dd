import { RequestError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { removeFilter } from '../../filters/write-filter.ts'
import { deleteList } from '../../lists/delete-list.ts'
import { removeMembers } from '../../lists/list-members.ts'
import { unblockAccount } from '../../relationships/blocks/unblock-account.ts'
import { unblockDomains } from '../../relationships/domain-blocks/unblock-domain.ts'
import { unfollowAccount } from '../../relationships/follows/unfollow-account.ts'
import { unmuteAccount } from '../../relationships/mutes/unmute-account.ts'
import { unbookmarkStatus } from '../../statuses/interactions/bookmark-status.ts'
import type { ImportType, RunningImport } from './import-formats.ts'

/** How many entries one job removes, each in its own transaction, or domain blocks together. */
const ENTRIES_PER_JOB = 100

/** How many members of a list one transaction removes. */
const MEMBERS_PER_STEP = 500

interface Params {
  accountId: string
  importId: string
  after: string
}

interface Missing {
  id: string
  target: string
}

type Removal = {
  /** Returns the next entries that the file lacks, with what their removal needs. */
  find(db: Ctx['db'], params: Params): Promise<Missing[]>
} & (RemovalOfEach | RemovalOfAll)

interface RemovalOfEach {
  /** Removes an entry, or a part of it: returns true if there is more. */
  remove(tx: Tx, input: { accountId: string; importId: string; target: string }): Promise<boolean | void>
}

interface RemovalOfAll {
  /** Removes entries, none of which can be refused. */
  removeAll(tx: Tx, input: { accountId: string; targets: readonly string[] }): Promise<void>
}

const missing = (source: string, id: string, key: string) =>
  statement<{ params: Params; row: Missing }>(
    `${source} and ${id} > $after::bigint
     and not exists (select from account_import_rows r where r.import_id = $importId and ${key})
     order by ${id} limit ${ENTRIES_PER_JOB}`,
  )
const missingAccounts = (table: string) =>
  missing(
    `select e.id, e.target_account_id::text as target
     from ${table} e join accounts a on a.id = e.target_account_id where e.account_id = $accountId`,
    'e.id',
    `r.key = lower(a.username) || '@' || coalesce(a.domain, '')`,
  )
const findFollows = missingAccounts('follows')
const findMutes = missingAccounts('mutes')
const findBlocks = missingAccounts('blocks')
const findDomainBlocks = missing(
  `select e.id, e.domain as target from account_domain_blocks e where e.account_id = $accountId`,
  'e.id',
  'r.key = e.domain',
)
const findBookmarks = missing(
  `select e.id, e.status_id::text as target
   from bookmarks e join statuses s on s.id = e.status_id where e.account_id = $accountId`,
  'e.id',
  'r.key in (s.uri, s.url)',
)
// All lists are emptied, and those that the file does not name are deleted.
const findLists = statement<{ params: Omit<Params, 'importId'>; row: Missing }>(
  `select e.id, e.id::text as target from lists e
   where e.account_id = $accountId and e.id > $after::bigint
   order by e.id limit ${ENTRIES_PER_JOB}`,
)
const findFilters = statement<{ params: Omit<Params, 'importId'>; row: Missing }>(
  `select e.id, e.id::text as target from filters e
   where e.account_id = $accountId and e.id > $after::bigint
   order by e.id limit ${ENTRIES_PER_JOB}`,
)
const isListed = statement<{ params: { listId: string; importId: string }; row: { id: string } }>(
  `select l.id from lists l join account_import_rows r on r.cells[1] = l.title
   where l.id = $listId and r.import_id = $importId limit 1`,
)
const findMembers = statement<{ params: { listId: string }; row: { account_id: string } }>(
  `select account_id from list_accounts where list_id = $listId limit ${MEMBERS_PER_STEP}`,
)
// A concurrent job may have finished the removal and applied rows, which are deleted then: what they have added would
// seem to be missing. The lock prevents that it does so before this transaction ends.
const lockRemoval = statement<{ params: { importId: string; after: string }; row: { id: string } }>(
  `select id from account_imports where id = $importId and removed_until = $after for share`,
)
const setRemoved = statement<{ params: { importId: string; after: string; until: string | null } }>(
  `update account_imports set removed_until = $until where id = $importId and removed_until = $after`,
)

const REMOVALS: Readonly<Record<ImportType, Removal>> = {
  following: {
    find: findFollows,
    remove: (tx, { accountId, target }) => unfollowAccount(tx, { accountId, targetAccountId: target }),
  },
  muting: {
    find: findMutes,
    remove: (tx, { accountId, target }) => unmuteAccount(tx, { accountId, targetAccountId: target }),
  },
  blocking: {
    find: findBlocks,
    remove: (tx, { accountId, target }) => unblockAccount(tx, { accountId, targetAccountId: target }),
  },
  domain_blocking: {
    find: findDomainBlocks,
    removeAll: (tx, { accountId, targets }) => unblockDomains(tx, { accountId, domains: targets }),
  },
  bookmarks: {
    find: findBookmarks,
    remove: async (tx, { accountId, target }) => void (await unbookmarkStatus(tx, { accountId, statusId: target })),
  },
  lists: { find: findLists, remove: clearList },
  filters: {
    find: findFilters,
    remove: (tx, { accountId, target }) => removeFilter(tx, { accountId, id: target }),
  },
}

/**
 * Removes the next entries of the user that the file lacks, and records how far it came. An entry that cannot be removed
 * stays. If a concurrent job has come further, this one changes nothing.
 */
export async function removeMissing(
  ctx: Ctx,
  {
    accountId,
    running: { id: importId, type, removed_until: after },
  }: { accountId: string; running: RunningImport & { removed_until: string } },
): Promise<void> {
  const removal = REMOVALS[type]
  const entries = await removal.find(ctx.db, { accountId, importId, after })
  const whileRemoving = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result | false> =>
    ctx.write(async (tx) => {
      const [isRemoving] = await lockRemoval(tx.db, { importId, after })
      return isRemoving ? work(tx) : false
    })
  if ('removeAll' in removal) {
    const targets = entries.map(({ target }) => target)
    await whileRemoving((tx) => removal.removeAll(tx, { accountId, targets }))
  } else {
    for (const { target } of entries) {
      try {
        while ((await whileRemoving((tx) => removal.remove(tx, { accountId, importId, target }))) === true);
      } catch (err) {
        if (!(err instanceof RequestError)) throw err
      }
    }
  }
  const until = entries.length < ENTRIES_PER_JOB ? null : entries.at(-1)!.id
  await ctx.write((tx) => setRemoved(tx.db, { importId, after, until }))
}

/** Deletes a list that the file does not name; removes members from one that it names. Returns whether it has more. */
async function clearList(
  tx: Tx,
  { accountId, importId, target: listId }: { accountId: string; importId: string; target: string },
): Promise<boolean> {
  const [listed] = await isListed(tx.db, { listId, importId })
  if (!listed) {
    await deleteList(tx, { accountId, listId })
    return false
  }
  const members = await findMembers(tx.db, { listId })
  await removeMembers(tx, { accountId, listId, memberIds: members.map(({ account_id: id }) => id) })
  return members.length === MEMBERS_PER_STEP
}
