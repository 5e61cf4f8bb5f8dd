import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Ctx } from '../../domain/context.ts'
import { archiveKey, findRequestedArchive, finishArchive } from '../../domain/transfers/archives/account-archives.ts'
import { statement } from '../../platform/db/statement.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { ensureActorKey } from '../keys/actor-keys.ts'
import { writeActor } from '../objects/write/write-actor.ts'
import { ACTOR_CONTEXT, withContext } from '../wire/context.ts'
import { archivedMediaPath, writeActorFile, writeOutbox, writeUriCollection } from './archive-files.ts'

/** How many attachments one statement reads. */
const BATCH_SIZE = 1_000

interface ProfileImages {
  avatar_key: string | null
  header_key: string | null
}

// Users whose accounts are suspended or not approved yet get archives, too. A deleted account has no user.
const find = statement<{ params: { accountId: string }; row: ProfileImages }>(
  `select a.avatar_key, a.header_key from accounts a join users u on u.account_id = a.id where a.id = $accountId`,
)
const findMedia = statement<{
  params: { accountId: string; after: string }
  row: { id: string; file_key: string }
  notNull: 'file_key'
}>(
  `select m.id, m.file_key from media_attachments m
   where m.account_id = $accountId and m.id > $after::bigint and m.status_id is not null and m.withdrawn_at is null
     and m.state = 'ready' and m.file_key is not null
   order by m.id limit ${BATCH_SIZE}`,
)

/**
 * Effect: writes the archive that a user has requested, a ZIP in Mastodon's format, to the storage. Neither the posts
 * nor the files are held in memory.
 */
export async function buildArchive(ctx: Ctx, { archiveId }: { archiveId: string }): Promise<void> {
  const requested = await findRequestedArchive(ctx, { archiveId })
  if (!requested) return
  const { accountId, name } = requested
  const [account] = await find(ctx.db, { accountId })
  if (!account) return
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (err: Error) => output.destroy(err))
  const key = archiveKey(name)
  const stored = ctx.storage.put({ key, body: output, contentType: 'application/zip' })
  // The storage may fail before anything waits for it, and then reads no errors of the output either.
  stored.catch(() => {})
  output.on('error', () => {})
  // If the storage fails, nothing reads the output any more, so adding a file would never end.
  const add: AddFile = async (path, content, { compress }) => {
    zip.addReadStream(content, path, { compress })
    try {
      await Promise.race([finished(content), stored])
    } finally {
      content.destroy()
    }
  }
  try {
    await addFiles(ctx, { add, accountId, account })
    zip.end()
  } catch (err) {
    output.destroy(err as Error)
    await stored.catch(() => {})
    throw err
  }
  const { size: byteSize } = await stored
  await ctx.storage.setPublic?.({ keys: [key], isPublic: false })
  await finishArchive(ctx, { archiveId, accountId, name, byteSize })
}

/** Adds a file to the archive. Resolves when its content has been read. */
type AddFile = (path: string, content: Readable, options: { compress: boolean }) => Promise<void>

async function addFiles(
  ctx: Ctx,
  { add, accountId, account }: { add: AddFile; accountId: string; account: ProfileImages },
): Promise<void> {
  const addText = (path: string, parts: Iterable<string> | AsyncIterable<string>) =>
    add(path, Readable.from(parts, { objectMode: false }), { compress: true })
  /** Files that are missing are left out, as in Mastodon. */
  const addStoredFile = async (path: string, key: string): Promise<void> => {
    const file = await ctx.storage.open({ key })
    if (file) await add(path, file.stream, { compress: false })
    else ctx.log.warn({ key }, 'A file is missing in an archive')
  }
  const { avatar_key: avatarKey, header_key: headerKey } = account
  const avatar = avatarKey && `avatar${extname(avatarKey)}`
  const header = headerKey && `header${extname(headerKey)}`
  await ensureActorKey(ctx, { accountId })
  const actor = await writeActor(ctx, { accountId, forOwner: true })
  if (actor === null) throw new NotFoundError()
  await addText('actor.json', [writeActorFile(withContext(ACTOR_CONTEXT, actor), { avatar, header })])
  await addText('outbox.json', writeOutbox(ctx, { accountId, now: ctx.now() }))
  await addText('likes.json', writeUriCollection(ctx, { accountId, name: 'likes.json' }))
  await addText('bookmarks.json', writeUriCollection(ctx, { accountId, name: 'bookmarks.json' }))
  if (avatarKey) await addStoredFile(avatar!, avatarKey)
  if (headerKey) await addStoredFile(header!, headerKey)
  for (let after = '0'; ;) {
    const media = await findMedia(ctx.db, { accountId, after })
    for (const { file_key: key } of media) await addStoredFile(archivedMediaPath(key), key)
    if (media.length < BATCH_SIZE) return
    after = media.at(-1)!.id
  }
}
