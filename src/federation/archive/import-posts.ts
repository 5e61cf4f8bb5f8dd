import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Entry, ZipFile } from 'yauzl'
import type { Ctx } from '../../domain/context.ts'
import { withTemporaryFolder } from '../../domain/media/uploads/process-media.ts'
import { uploadMedia } from '../../domain/media/uploads/upload-media.ts'
import { findPresentPosts, importStatus } from '../../domain/statuses/write/import-status.ts'
import type { ArchiveFailure } from '../../domain/transfers/imports/archive-failures.ts'
import {
  finishArchiveEntry,
  finishArchiveImport,
  listArchiveFailure,
  listWaitingEntries,
  recordImportedPost,
  skipArchiveEntry,
  startArchiveImport,
  takeFileBytes,
} from '../../domain/transfers/imports/archive-imports.ts'
import type { RunningArchiveImport, WaitingEntry } from '../../domain/transfers/imports/archive-imports.ts'
import { importSavedStatuses } from '../../domain/transfers/imports/import-saved-statuses.ts'
import { RequestError } from '../../lib/errors.ts'
import { isBlank } from '../../lib/text/is-blank.ts'
import { findZipEntries, isZipDamage, openStoredZip } from '../../platform/zip/open-zip.ts'
import { readArchivedActor, readArchivedPost } from './read-archived-post.ts'
import type { ArchivedEntry, ArchivedFile } from './read-archived-post.ts'

/** How many posts one job imports. Each may have four files to convert. */
const POSTS_PER_JOB = 20

/** The largest file of a post that is read. */
const MAX_FILE_BYTES = 99 * 1_048_576

type PostEntry = Extract<ArchivedEntry, { kind: 'post' }>

/** The files of an archive that some posts name. */
interface OpenArchive {
  zip: ZipFile
  entries: ReadonlyMap<string, Entry>
}

/**
 * Effect: continues the oldest import of an archive of an account: of posts, and then of favourites and bookmarks.
 * Emits the event again until all are finished. Each post and its state are written in one transaction, so what a job
 * repeats after a crash creates nothing twice.
 */
export async function importPosts(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const running = await startArchiveImport(ctx, { accountId })
  if (!running) return
  const waiting = await listWaitingEntries(ctx, { importId: running.id, limit: POSTS_PER_JOB })
  const entries = readEntries(ctx, { running, activities: waiting.filter(({ kind }) => kind === 'activity') })
  const saved = waiting.filter(({ kind }) => kind !== 'activity')
  if (waiting.length === 0) await ctx.write((tx) => finishArchiveImport(tx, { id: running.id }))
  if (entries.length > 0) await importEntries(ctx, { accountId, running, entries })
  if (saved.length > 0) await importSavedStatuses(ctx, { accountId, entries: saved })
  await ctx.write(async (tx) => tx.emit('account_import.posts_due', { accountId }))
}

function readEntries(
  ctx: Ctx,
  { running, activities }: { running: RunningArchiveImport; activities: readonly WaitingEntry[] },
): { id: string; entry: ArchivedEntry }[] {
  const actor = readArchivedActor(running.actor)
  return activities.map(({ id, json }) => {
    if (!actor) return { id, entry: { kind: 'failure', uri: '', failure: { reason: 'archive-without-account' } } }
    if (json === '') return { id, entry: { kind: 'failure', uri: '', failure: { reason: 'entry-too-large' } } }
    return { id, entry: readArchivedPost(json, { actor, now: ctx.now() }) }
  })
}

async function importEntries(
  ctx: Ctx,
  {
    accountId,
    running,
    entries,
  }: { accountId: string; running: RunningArchiveImport; entries: readonly { id: string; entry: ArchivedEntry }[] },
): Promise<void> {
  const posts = entries.flatMap(({ entry }) => (entry.kind === 'post' ? [entry] : []))
  const present = await findPresentPosts(ctx, { accountId, uris: posts.map(({ post }) => post.uri) })
  const names = new Set(posts.filter(({ post }) => !present.has(post.uri)).flatMap(({ files }) => namesOf(files)))
  const archive = names.size > 0 ? await openArchive(ctx, { running, names }) : null
  try {
    for (const { id, entry } of entries) {
      if (entry.kind === 'other') await ctx.write((tx) => skipArchiveEntry(tx, { id }))
      else if (entry.kind === 'failure') {
        await ctx.write((tx) =>
          listArchiveFailure(tx, { id, uri: entry.uri, failure: entry.failure, isImported: false }),
        )
      } else if (present.has(entry.post.uri)) await ctx.write((tx) => finishArchiveEntry(tx, { id }))
      else await importPost(ctx, { accountId, importId: running.id, id, entry, archive })
    }
  } finally {
    archive?.zip.close()
  }
}

async function importPost(
  ctx: Ctx,
  {
    accountId,
    importId,
    id,
    entry: { post, files },
    archive,
  }: { accountId: string; importId: string; id: string; entry: PostEntry; archive: OpenArchive | null },
): Promise<void> {
  const { uri } = post
  const fail = (failure: ArchiveFailure) =>
    ctx.write((tx) => listArchiveFailure(tx, { id, uri, failure, isImported: false }))
  try {
    const uploads = []
    for (const file of files) uploads.push(await uploadFile(ctx, { accountId, importId, file, archive }))
    const mediaIds = uploads.filter((mediaId) => mediaId !== null)
    const missing = files.length - mediaIds.length
    if (mediaIds.length === 0 && isBlank(post.text) && !post.poll) {
      await fail({ reason: 'files-missing' })
      return
    }
    await ctx.write(async (tx) => {
      const failure = { reason: 'some-files-missing', missing, files: files.length } as const
      const isTaken =
        missing === 0
          ? await finishArchiveEntry(tx, { id })
          : await listArchiveFailure(tx, { id, uri, failure, isImported: true })
      const statusId = isTaken ? await importStatus(tx, { accountId, post, mediaIds }) : null
      if (statusId !== null) await recordImportedPost(tx, { importId, statusId })
    })
  } catch (err) {
    if (!isRefusal(err)) throw err
    await fail({ reason: 'post-refused' })
  }
}

/** Returns the id of the media attachment of a file; null if the file is missing or cannot be converted. */
async function uploadFile(
  ctx: Ctx,
  {
    accountId,
    importId,
    file: { name, description, focus },
    archive,
  }: { accountId: string; importId: string; file: ArchivedFile; archive: OpenArchive | null },
): Promise<string | null> {
  const entry = name === null ? undefined : archive?.entries.get(name)
  if (!archive || !entry || entry.uncompressedSize > MAX_FILE_BYTES) return null
  const byteSize = entry.uncompressedSize
  if (!(await ctx.write((tx) => takeFileBytes(tx, { importId, byteSize })))) return null
  return withTemporaryFolder(ctx, async (folder) => {
    const path = join(folder, 'file')
    try {
      await pipeline(await archive.zip.openReadStreamPromise(entry), createWriteStream(path, { mode: 0o600 }))
    } catch (err) {
      if (!isZipDamage(err)) throw err
      return null
    }
    try {
      const upload = { accountId, path, thumbnailPath: null, description, focus, waitUntilReady: true }
      return await uploadMedia(ctx, upload)
    } catch (err) {
      if (!isRefusal(err)) throw err
      return null
    }
  })
}

async function openArchive(
  ctx: Ctx,
  { running, names }: { running: RunningArchiveImport; names: ReadonlySet<string> },
): Promise<OpenArchive | null> {
  const stored = await openStoredZip(ctx.storage, { key: running.fileKey })
  return stored && { zip: stored.zip, entries: await findZipEntries(stored.zip, { names, byteSize: stored.byteSize }) }
}

function namesOf(files: readonly ArchivedFile[]): string[] {
  return files.flatMap(({ name }) => name ?? [])
}

/** Whether the input is at fault, so that another attempt fails too. */
function isRefusal(err: unknown): err is RequestError {
  return err instanceof RequestError && err.status < 500
}
