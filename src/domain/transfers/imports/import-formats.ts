import { canonicalDomain, parseHandle } from '../../../lib/usernames.ts'
import { toStoredDomain } from '../../accounts/lookup/lookup-account.ts'
import type { Read } from '../../context.ts'

/** What a file contains, by Mastodon's names. */
export const IMPORT_TYPES = [
  'following',
  'lists',
  'muting',
  'blocking',
  'domain_blocking',
  'bookmarks',
  'filters',
] as const

export type ImportType = (typeof IMPORT_TYPES)[number]

/** A type whose files are CSV. */
export type CsvImportType = Exclude<ImportType, 'filters'>

/** An import that a job continues. */
export interface RunningImport {
  id: string
  type: ImportType
  /** null: no entries are to be removed any more. */
  removed_until: string | null
}

/** A row that is still to be applied. */
export interface WaitingRow {
  id: string
  key: string | null
  cells: string[]
}

interface ImportFormat {
  /** The columns of the exported file, in its order. */
  columns: readonly string[]
  /** The column that names an account, a domain or a status. */
  keyColumn: number
  /** Returns the key of a row: what it names, in the form in which two rows are equal; null if it names nothing. */
  readKey(read: Pick<Read, 'config'>, cell: string): string | null
  /** The name of the file with the rows that failed. */
  failuresFile: string
}

const ACCOUNT = 'Account address'

/** The formats of the files, as Mastodon reads them. */
export const IMPORT_FORMATS: Readonly<Record<CsvImportType, ImportFormat>> = {
  following: {
    columns: [ACCOUNT, 'Show boosts', 'Notify on new posts', 'Languages'],
    keyColumn: 0,
    readKey: accountKey,
    failuresFile: 'following_accounts_failures.csv',
  },
  lists: { columns: ['List name', ACCOUNT], keyColumn: 1, readKey: accountKey, failuresFile: 'lists_failures.csv' },
  muting: {
    columns: [ACCOUNT, 'Hide notifications'],
    keyColumn: 0,
    readKey: accountKey,
    failuresFile: 'muted_accounts_failures.csv',
  },
  blocking: {
    columns: [ACCOUNT],
    keyColumn: 0,
    readKey: accountKey,
    failuresFile: 'blocked_accounts_failures.csv',
  },
  domain_blocking: {
    columns: ['#domain'],
    keyColumn: 0,
    readKey: (_read, cell) => canonicalDomain(cell),
    failuresFile: 'blocked_domains_failures.csv',
  },
  bookmarks: {
    columns: ['#uri'],
    keyColumn: 0,
    readKey: (_read, cell) => (/^https?:\/\/\S+$/i.test(cell) ? cell : null),
    failuresFile: 'bookmarks_failures.csv',
  },
}

/** The name of the file with the posts of an archive that failed. */
export const ARCHIVE_FAILURES_FILE = 'posts_failures.csv'

/** The name of the file with the filters that failed. */
export const FILTER_FAILURES_FILE = 'custom_filters_failures.json'

/** Returns `username@domain` in lower case, with the domain under which the account is stored; null for no handle. */
function accountKey(read: Pick<Read, 'config'>, cell: string): string | null {
  const handle = parseHandle(cell)
  return handle && `${handle.username.toLowerCase()}@${toStoredDomain(read, handle.domain)}`
}
