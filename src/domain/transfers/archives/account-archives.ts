import { NotFoundError, UnprocessableError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { statement } from '../../../platform/db/statement.ts'
import { checkRecentAuthentication } from '../../auth/two-factor/recent-authentication.ts'
import type { OwnSession } from '../../auth/two-factor/recent-authentication.ts'
import type { Ctx, Read, Tx } from '../../context.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { readSetting } from '../../core/settings-store.ts'
import { makeMediaName } from '../../media/uploads/media-keys.ts'

/** How long a user has to wait for the next archive, unless the last one was deleted before. */
export const ARCHIVE_INTERVAL_DAYS = 7

/** The setting of how many days after the request an archive can be downloaded. Mastodon's name. */
export const ARCHIVE_RETENTION_SETTING = 'backups_retention_period'
export const DEFAULT_ARCHIVE_RETENTION_DAYS = 7
const DAY_MS = 86_400_000

/** The folder of the storage whose files only their owners can download. */
export const ARCHIVES_FOLDER = 'archives/'

/** How many archives one statement finds for deletion. */
const BATCH_SIZE = 100

export interface AccountArchive {
  id: string
  name: string
  requestedAt: Date
  /** null: it is not written yet. */
  finishedAt: Date | null
  byteSize: number | null
}

const COLUMNS = `r.id, r.name, r.requested_at as "requestedAt", r.finished_at as "finishedAt",
  r.byte_size::float8 as "byteSize"`
const FRESH = `r.requested_at > $now::timestamptz - make_interval(days => $retentionDays)`

const list = statement<{ params: { accountId: string; now: Date; retentionDays: number }; row: AccountArchive }>(
  `select ${COLUMNS} from account_archives r where r.account_id = $accountId and ${FRESH} order by r.id desc`,
)
const findReady = statement<{
  params: { id: string; accountId: string; now: Date; retentionDays: number }
  row: AccountArchive
}>(
  `select ${COLUMNS} from account_archives r
   where r.id = $id and r.account_id = $accountId and r.finished_at is not null and ${FRESH}`,
)
const insert = statement<{ params: { accountId: string; name: string; now: Date }; row: { id: string } }>(
  `insert into account_archives (account_id, name, requested_at) values ($accountId, $name, $now) returning id`,
)
const findRequested = statement<{ params: { archiveId: string }; row: { account_id: string; name: string } }>(
  `select account_id, name from account_archives where id = $archiveId and finished_at is null`,
)
const finish = statement<{ params: { archiveId: string; byteSize: number; now: Date }; row: { id: string } }>(
  `update account_archives set finished_at = $now, byte_size = $byteSize
   where id = $archiveId and finished_at is null returning id`,
)
const findOlder = statement<{ params: { accountId: string; archiveId: string }; row: { id: string; name: string } }>(
  `select id, name from account_archives where account_id = $accountId and id < $archiveId limit ${BATCH_SIZE}`,
)
const findExpired = statement<{ params: { now: Date; retentionDays: number }; row: { id: string; name: string } }>(
  `select r.id, r.name from account_archives r where not (${FRESH}) order by r.requested_at limit ${BATCH_SIZE}`,
)
const findAll = statement<{ params: { accountId: string }; row: { id: string; name: string } }>(
  `select id, name from account_archives where account_id = $accountId limit ${BATCH_SIZE}`,
)
const findUnfinished = statement<{ params: { before: Date }; row: { id: string } }>(
  `select id from account_archives where finished_at is null and requested_at < $before limit ${BATCH_SIZE}`,
)
const remove = statement<{ params: { ids: readonly string[] } }>(
  `delete from account_archives where id = any($ids::bigint[])`,
)

/**
 * Returns the storage key of an archive. Unlike media, archives are never served under their keys
 * (`http/files/stored-files.ts`).
 */
export function archiveKey(name: string): string {
  return `${ARCHIVES_FOLDER}${name.slice(0, 2)}/${name}.zip`
}

/** Returns how many days after the request an archive can be downloaded. */
export async function readArchiveRetention(read: Read): Promise<number> {
  const days = await readSetting<unknown>(read, { name: ARCHIVE_RETENTION_SETTING })
  return typeof days === 'number' ? days : DEFAULT_ARCHIVE_RETENTION_DAYS
}

/** Returns whether a user with these archives can request another one. */
export function canRequestArchive(archives: readonly AccountArchive[], { now }: { now: Date }): boolean {
  const earliest = now.getTime() - ARCHIVE_INTERVAL_DAYS * DAY_MS
  return archives.every(({ requestedAt }) => requestedAt.getTime() <= earliest)
}

/** Returns the archives of an account that can be downloaded or are being written, newest first. */
export async function listArchives(
  read: Read,
  { accountId, now }: { accountId: string; now: Date },
): Promise<AccountArchive[]> {
  return list(read.db, { accountId, now, retentionDays: await readArchiveRetention(read) })
}

/** Returns a finished archive of the account. @throws NotFoundError, also for another account's */
export async function findArchive(
  read: Read,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
): Promise<AccountArchive> {
  const retentionDays = await readArchiveRetention(read)
  const [row] = isId(id) ? await findReady(read.db, { id, accountId, now, retentionDays }) : []
  if (!row) throw new NotFoundError()
  return row
}

/**
 * Requests an archive of the account, which a job writes (Mastodon: POST /settings/export).
 * @throws UnprocessableError if one was requested in the last week; ForbiddenError if the session has ended meanwhile
 */
export async function requestArchive(
  tx: Tx,
  { accountId, ...session }: OwnSession & { accountId: string },
): Promise<void> {
  await lockAccounts(tx, { ids: [accountId] })
  await checkRecentAuthentication(tx, session)
  if (!canRequestArchive(await listArchives(tx, { accountId, now: tx.now }), tx)) {
    throw new UnprocessableError('You can request an archive once a week')
  }
  const [row] = await insert(tx.db, { accountId, name: makeMediaName(), now: tx.now })
  tx.emit('account_archive.requested', { archiveId: row!.id })
}

/** Returns the account and the name of an archive that is still to be written; null if it is finished or deleted. */
export async function findRequestedArchive(
  read: Read,
  { archiveId }: { archiveId: string },
): Promise<{ accountId: string; name: string } | null> {
  const [row] = await findRequested(read.db, { archiveId })
  return row ? { accountId: row.account_id, name: row.name } : null
}

/** Records that an archive is written, and deletes the earlier ones of the account. */
export async function finishArchive(
  ctx: Ctx,
  { archiveId, accountId, name, byteSize }: { archiveId: string; accountId: string; name: string; byteSize: number },
): Promise<void> {
  const isFinished = await ctx.write(async (tx) => {
    const [row] = await finish(tx.db, { archiveId, byteSize, now: tx.now })
    if (row) tx.emit('account_archive.finished', { archiveId, accountId })
    return row !== undefined
  })
  // It was deleted while it was written, for instance with its account.
  if (!isFinished && !(await isKept(ctx, archiveId))) await ctx.storage.remove({ keys: [archiveKey(name)] })
  await removeAll(ctx, () => findOlder(ctx.db, { accountId, archiveId }))
}

/**
 * Effect: deletes archives when their time is over. Starts the jobs of unfinished ones again, in case that the job of
 * one is dead.
 */
export async function pruneArchives(ctx: Ctx): Promise<void> {
  const retentionDays = await readArchiveRetention(ctx)
  await removeAll(ctx, () => findExpired(ctx.db, { now: ctx.now(), retentionDays }))
  await ctx.write(async (tx) => {
    const unfinished = await findUnfinished(tx.db, { before: new Date(tx.now.getTime() - DAY_MS) })
    for (const { id } of unfinished) tx.emit('account_archive.requested', { archiveId: id })
  })
}

/** Effect: deletes the files of archives whose rows were deleted already. */
export async function removeArchiveFiles(ctx: Ctx, { names }: { names: readonly string[] }): Promise<void> {
  await ctx.storage.remove({ keys: names.map(archiveKey) })
}

/** Effect: deletes the archives of a deleted account. */
export async function removeArchives(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  await removeAll(ctx, () => findAll(ctx.db, { accountId }))
}

async function isKept(read: Read, archiveId: string): Promise<boolean> {
  return (await exists(read.db, { archiveId })).length > 0
}

const exists = statement<{ params: { archiveId: string }; row: { id: string } }>(
  `select id from account_archives where id = $archiveId`,
)

/** Deletes files before rows, so that no file remains that no row names. */
async function removeAll(ctx: Ctx, find: () => Promise<{ id: string; name: string }[]>): Promise<void> {
  for (let rows = await find(); rows.length > 0; rows = await find()) {
    await ctx.storage.remove({ keys: rows.map(({ name }) => archiveKey(name)) })
    await ctx.write((tx) => remove(tx.db, { ids: rows.map(({ id }) => id) }))
  }
}
