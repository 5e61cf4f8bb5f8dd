import { RequestError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { removeFilter } from '../../filters/write-filter.ts'
import { deleteList } from '../../lists/delete-list.ts'
import { removeMembers } from '../../lists/list-members.ts'
import { unblockAccount } from '../../relationships/blocks/unblock-account.ts'
import { unblockDomain } from '../../relationships/domain-blocks/unblock-domain.ts'
import { unfollowAccount } from '../../relationships/follows/unfollow-account.ts'
import { unmuteAccount } from '../../relationships/mutes/unmute-account.ts'
import { unbookmarkStatus } from '../../statuses/interactions/bookmark-status.ts'
import type { ImportType, RunningImport } from './import-formats.ts'

/** How many entries one job removes, each in its own transaction. */
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

interface Removal {
  /** Returns the next entries that the file lacks, with what their removal needs. */
  find(db: Ctx['db'], params: Params): Promise<Missing[]>
  remove(ctx: Ctx, input: { accountId: string; importId: string; target: string }): Promise<void>
}

// A concurrent job may have finished the removal and applied rows, which are deleted then: what they have added would
// seem to be missing.
const IS_REMOVING = `exists (select from account_imports i where i.id = $importId and i.removed_until = $after::bigint)`

const missing = (source: string, id: string, key: string) =>
  statement<{ params: Params; row: Missing }>(
    `${source} and ${id} > $after::bigint and ${IS_REMOVING}
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
const findLists = statement<{ params: Params; row: Missing }>(
  `select e.id, e.id::text as target from lists e
   where e.account_id = $accountId and e.id > $after::bigint and ${IS_REMOVING}
   order by e.id limit ${ENTRIES_PER_JOB}`,
)
const findFilters = statement<{ params: Params; row: Missing }>(
  `select e.id, e.id::text as target from filters e
   where e.account_id = $accountId and e.id > $after::bigint and ${IS_REMOVING}
   order by e.id limit ${ENTRIES_PER_JOB}`,
)
const isListed = statement<{ params: { listId: string; importId: string }; row: { id: string } }>(
  `select l.id from lists l join account_import_rows r on r.cells[1] = l.title
   where l.id = $listId and r.import_id = $importId limit 1`,
)
const findMembers = statement<{ params: { listId: string }; row: { account_id: string } }>(
  `select account_id from list_accounts where list_id = $listId limit ${MEMBERS_PER_STEP}`,
)
const setRemoved = statement<{ params: { importId: string; after: string; until: string | null } }>(
  `update account_imports set removed_until = $until where id = $importId and removed_until = $after`,
)

const write =
  (work: (tx: Tx, input: { accountId: string; target: string }) => Promise<unknown>): Removal['remove'] =>
  (ctx, input) =>
    ctx.write(async (tx) => void (await work(tx, input)))

const REMOVALS: Readonly<Record<ImportType, Removal>> = {
  following: {
    find: findFollows,
    remove: write((tx, { accountId, target }) => unfollowAccount(tx, { accountId, targetAccountId: target })),
  },
  muting: {
    find: findMutes,
    remove: write((tx, { accountId, target }) => unmuteAccount(tx, { accountId, targetAccountId: target })),
  },
  blocking: {
    find: findBlocks,
    remove: write((tx, { accountId, target }) => unblockAccount(tx, { accountId, targetAccountId: target })),
  },
  domain_blocking: {
    find: findDomainBlocks,
    remove: write((tx, { accountId, target }) => unblockDomain(tx, { accountId, domain: target })),
  },
  bookmarks: {
    find: findBookmarks,
    remove: write((tx, { accountId, target }) => unbookmarkStatus(tx, { accountId, statusId: target })),
  },
  lists: { find: findLists, remove: clearList },
  filters: {
    find: findFilters,
    remove: write((tx, { accountId, target }) => removeFilter(tx, { accountId, id: target })),
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
  const { find, remove } = REMOVALS[type]
  const entries = await find(ctx.db, { accountId, importId, after })
  for (const { target } of entries) {
    await remove(ctx, { accountId, importId, target }).catch((err: unknown) => {
      if (!(err instanceof RequestError)) throw err
    })
  }
  const until = entries.length < ENTRIES_PER_JOB ? null : entries.at(-1)!.id
  await ctx.write((tx) => setRemoved(tx.db, { importId, after, until }))
}

/** Deletes a list that the file does not name, and empties one that it names. */
async function clearList(
  ctx: Ctx,
  { accountId, importId, target: listId }: { accountId: string; importId: string; target: string },
): Promise<void> {
  const [listed] = await isListed(ctx.db, { listId, importId })
  if (!listed) return ctx.write((tx) => deleteList(tx, { accountId, listId }))
  for (;;) {
    const members = await findMembers(ctx.db, { listId })
    if (members.length === 0) return
    const memberIds = members.map(({ account_id: id }) => id)
    await ctx.write((tx) => removeMembers(tx, { accountId, listId, memberIds }))
  }
}
