import type { Tx } from '../../context.ts'
import { blockAccounts } from '../../relationships/blocks/block-account.ts'
import { blockDomains } from '../../relationships/domain-blocks/block-domain.ts'
import { followAccounts } from '../../relationships/follows/follow-accounts.ts'
import { muteAccounts } from '../../relationships/mutes/mute-account.ts'
import { bookmarkStatuses } from '../../statuses/interactions/bookmark-status.ts'
import { addToLists } from './add-to-lists.ts'
import type { ImportType } from './import-formats.ts'
import { saveFilter } from './save-filter.ts'

/** A row of an import whose account, status or domain is known. */
export interface ResolvedRow {
  id: string
  /** What it names (`ImportFormat.readKey`). */
  key: string
  cells: readonly string[]
  /** `resolveRows`. */
  targetIds: readonly string[]
}

type Rows = { accountId: string; rows: readonly ResolvedRow[] }

const NONE: ReadonlySet<string> = new Set()

/** Each returns the ids of the accounts or statuses that are refused. */
const APPLY: Readonly<Record<ImportType, (tx: Tx, input: Rows) => Promise<ReadonlySet<string>>>> = {
  following: (tx, { accountId, rows }) =>
    followAccounts(tx, {
      accountId,
      follows: rows.map(({ cells: [, boosts = '', notify = '', languages = ''], targetIds }) => ({
        targetAccountId: targetIds[0]!,
        options: {
          showReblogs: readBoolean(boosts),
          notify: readBoolean(notify),
          languages: languages === '' ? undefined : languages.split(',').map((code) => code.trim()),
        },
      })),
    }),
  lists: (tx, { accountId, rows }) =>
    addToLists(tx, {
      accountId,
      members: rows.map(({ cells: [title = ''], targetIds }) => ({ title, memberId: targetIds[0]! })),
    }),
  muting: (tx, { accountId, rows }) =>
    muteAccounts(tx, {
      accountId,
      mutes: rows.map(({ cells: [, hides = ''], targetIds }) => ({
        targetAccountId: targetIds[0]!,
        hideNotifications: readBoolean(hides),
      })),
    }),
  blocking: (tx, { accountId, rows }) => blockAccounts(tx, { accountId, targetAccountIds: targetsOf(rows) }),
  domain_blocking: async (tx, { accountId, rows }) => {
    await blockDomains(tx, { accountId, domains: rows.map(({ key }) => key) })
    return NONE
  },
  bookmarks: (tx, { accountId, rows }) => bookmarkStatuses(tx, { accountId, statusIds: targetsOf(rows) }),
  filters: async (tx, { accountId, rows }) => {
    for (const { cells, targetIds } of rows) await saveFilter(tx, { accountId, cells, targetIds })
    return NONE
  },
}

/**
 * Applies rows of an import with a number of statements that does not depend on how many, except of filters, by the
 * same operations as requests of the user. Returns the ids of the rows that are refused.
 * @throws RequestError if one of the rows prevents the others from being applied
 */
export async function applyRows(
  tx: Tx,
  { accountId, type, rows }: Rows & { type: ImportType },
): Promise<ReadonlySet<string>> {
  const refused = await APPLY[type](tx, { accountId, rows })
  return new Set(rows.filter(({ targetIds: [id] }) => id !== undefined && refused.has(id)).map(({ id }) => id))
}

function targetsOf(rows: readonly ResolvedRow[]): string[] {
  return [...new Set(rows.map(({ targetIds }) => targetIds[0]!))]
}

/** Returns undefined for an empty cell, which keeps the present value or the default. */
function readBoolean(cell: string): boolean | undefined {
  if (cell === '') return undefined
  return !['false', 'f', '0', 'off', 'no'].includes(cell.toLowerCase())
}
