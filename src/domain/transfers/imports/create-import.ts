import { followLimit } from '../../relationships/follows/follow-limit.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../../context.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { CONFIRMATION_MINUTES } from './find-imports.ts'
import type { ImportType } from './import-formats.ts'
import { fileError, readImportFile } from './read-import-file.ts'
import type { ImportFileRow } from './read-import-file.ts'

/** How many imports of a user wait for confirmation or run. */
const MAX_UNFINISHED = 10
/** Of these, archives, which are large. */
const MAX_UNFINISHED_ARCHIVES = 2

/** How many rows one transaction inserts. */
const BATCH_SIZE = 2_000

const MAX_FILE_NAME_CHARACTERS = 200

const countUnfinished = statement<{
  params: { accountId: string; now: Date }
  row: { count: number; archives: number }
}>(
  `select count(*)::int as count, (count(*) filter (where type = 'archive'))::int as archives from account_imports
   where account_id = $accountId and state <> 'finished' and (state <> 'unconfirmed'
     or created_at > $now::timestamptz - make_interval(mins => ${CONFIRMATION_MINUTES}))`,
)
// Looks up the accounts of the file: comparing each of thousands of follows with each row of the file takes minutes.
const countFollows = statement<{
  params: { accountId: string; keys: readonly string[] }
  row: { following: number; followers: number; followed: number }
  notNull: 'followed'
}>(
  `select st.following_count as following, st.followers_count as followers,
     (select count(*)::int from unnest($keys::text[]) named (key)
        join accounts a on lower(a.username) = split_part(named.key, '@', 1)
          and coalesce(a.domain, '') = split_part(named.key, '@', 2)
        join follows f on f.account_id = $accountId and f.target_account_id = a.id) as followed
   from account_stats st where st.account_id = $accountId`,
)
const insert = statement<{
  params: {
    accountId: string
    type: string
    overwrite: boolean
    fileName: string
    removedUntil: string | null
    fileKey: string | null
    actor: string | null
    fileBytesLeft: number | null
    now: Date
  }
  row: { id: string }
}>(
  `insert into account_imports (account_id, type, overwrite, removed_until, file_name, total_items, file_key, actor,
     file_bytes_left, created_at)
   values ($accountId, $type, $overwrite, $removedUntil, $fileName, 0, $fileKey, $actor, $fileBytesLeft, $now)
   returning id`,
)
const insertRows = statement<{ params: { importId: string; rows: string } }>(
  `insert into account_import_rows (import_id, key, cells)
   select $importId, key, cells from jsonb_to_recordset($rows::jsonb) as r (key text, cells text[])`,
)
// The time to confirm the import begins when it is complete, which takes long for a large archive.
const complete = statement<{ params: { id: string; total: number; now: Date } }>(
  `update account_imports set total_items = $total, created_at = $now where id = $id and state = 'unconfirmed'`,
)
const discard = statement<{ params: { id: string } }>(`delete from account_imports where id = $id`)

/**
 * Stores an uploaded file as an unconfirmed import (Mastodon: POST /settings/imports). Returns its id. `overwrite`:
 * entries that the file lacks are removed. `file`: `path` of the upload, `fileName` as the browser sent it.
 * @throws ValidationError with the attribute `file`
 */
export async function createImport(
  ctx: Ctx,
  {
    accountId,
    type,
    overwrite,
    file,
  }: {
    accountId: string
    type: ImportType
    overwrite: boolean
    file: { path: string; byteSize: number; fileName: string }
  },
): Promise<string> {
  const rows = await readImportFile(ctx, { type, path: file.path, byteSize: file.byteSize })
  if (type === 'following') await checkFollowLimit(ctx, { accountId, rows, overwrite })
  const { fileName } = file
  const id = await ctx.write((tx) => addImport(tx, { accountId, type, overwrite, fileName, archive: null }))
  try {
    for (let from = 0; from < rows.length; from += BATCH_SIZE) {
      await ctx.write((tx) => addImportRows(tx, { importId: id, rows: rows.slice(from, from + BATCH_SIZE) }))
    }
    await ctx.write((tx) => completeImport(tx, { id, total: rows.length }))
  } catch (err) {
    await ctx.write((tx) => discardImport(tx, { id }))
    throw err
  }
  return id
}

/**
 * Inserts an unconfirmed import without its rows, which is hidden until it is complete. `archive`: the key of the
 * uploaded archive in the storage, its actor.json, and how many bytes of its files may be read.
 * @throws ValidationError for too many unfinished imports
 */
export async function addImport(
  tx: Tx,
  {
    accountId,
    type,
    overwrite,
    fileName,
    archive,
  }: {
    accountId: string
    type: ImportType | 'archive'
    overwrite: boolean
    fileName: string
    archive: { fileKey: string; actor: string; fileBytesLeft: number } | null
  },
): Promise<string> {
  // Serialises concurrent uploads, so that each counts those before it.
  await lockAccounts(tx, { ids: [accountId] })
  const [unfinished] = await countUnfinished(tx.db, { accountId, now: tx.now })
  const { count, archives } = unfinished!
  if (count >= MAX_UNFINISHED || (archive && archives >= MAX_UNFINISHED_ARCHIVES)) {
    throw fileError('ERR_TOO_MANY_IMPORTS', 'has to wait for other imports')
  }
  const [row] = await insert(tx.db, {
    accountId,
    type,
    overwrite,
    fileName: Array.from(fileName.toWellFormed().replaceAll('\0', '')).slice(0, MAX_FILE_NAME_CHARACTERS).join(''),
    removedUntil: overwrite ? '0' : null,
    fileKey: archive?.fileKey ?? null,
    actor: archive?.actor ?? null,
    fileBytesLeft: archive?.fileBytesLeft ?? null,
    now: tx.now,
  })
  return row!.id
}

/** Adds rows to an unconfirmed import. */
export async function addImportRows(
  tx: Tx,
  { importId, rows }: { importId: string; rows: readonly ImportFileRow[] },
): Promise<void> {
  await insertRows(tx.db, { importId, rows: JSON.stringify(rows) })
}

/** Shows an import that has all its rows, which the user can confirm from now on. */
export async function completeImport(tx: Tx, { id, total }: { id: string; total: number }): Promise<void> {
  await complete(tx.db, { id, total, now: tx.now })
}

/** Deletes an import whose rows could not be added. */
export async function discardImport(tx: Tx, { id }: { id: string }): Promise<void> {
  await discard(tx.db, { id })
}

/** @throws ValidationError if the user would follow more accounts than allowed */
async function checkFollowLimit(
  read: Read,
  { accountId, rows, overwrite }: { accountId: string; rows: readonly ImportFileRow[]; overwrite: boolean },
): Promise<void> {
  const keys = rows.map(({ key }) => key).filter((key) => key !== null)
  const [counts] = await countFollows(read.db, { accountId, keys })
  const { following, followers, followed } = counts!
  const total = overwrite ? keys.length : following - followed + keys.length
  if (total > followLimit(followers)) throw fileError('ERR_TOO_MANY_FOLLOWS', 'has too many accounts to follow')
}
