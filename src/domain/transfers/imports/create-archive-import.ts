import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { Entry, ZipFile } from 'yauzl'
import { InvalidCollectionError, splitJsonCollection } from '../../../lib/json/split-json-collection.ts'
import { findZipEntries, isZipDamage, openZip } from '../../../platform/zip/open-zip.ts'
import type { Ctx } from '../../context.ts'
import { makeMediaName } from '../../media/uploads/media-keys.ts'
import { UPLOADED_ARCHIVES_FOLDER } from './archive-imports.ts'
import { addImport, addImportRows, completeImport, discardImport } from './create-import.ts'
import { fileError } from './read-import-file.ts'

const MB = 1_048_576
const MAX_ACTOR_BYTES = 262_144
const MAX_OUTBOX_BYTES = 256 * MB
/** More than the longest post with all its attachments. */
const MAX_ENTRY_BYTES = 524_288
export const MAX_ARCHIVE_ENTRIES = 50_000
/** Of favourites and bookmarks, each. */
const MAX_SAVED_ENTRIES = 100_000
/** The longest URI of a status. */
const MAX_URI_BYTES = 2_048

/** How much one statement inserts. */
const BATCH_SIZE = 500
const BATCH_CHARACTERS = 4 * MB

const ACTOR = 'actor.json'
const OUTBOX = 'outbox.json'
/** Lists of URIs, which an archive may lack. */
const SAVED = { bookmark: 'bookmarks.json', favourite: 'likes.json' } as const

/**
 * Stores an uploaded archive of an account, in Mastodon's format, as an unconfirmed import of its posts,
 * bookmarks and favourites. Returns its id.
 * Neither the archive nor its list of posts is held in memory. `file`: as for `createImport`.
 * @throws ValidationError with the attribute `file`: it is no archive, or too large
 */
export async function createArchiveImport(
  ctx: Ctx,
  { accountId, file }: { accountId: string; file: { path: string; byteSize: number; fileName: string } },
): Promise<string> {
  if (file.byteSize > ctx.config.archiveUploadBytes) throw fileError('ERR_FILE_TOO_LARGE', 'is too large')
  return asFileErrors(async () => {
    const zip = await openZip({ path: file.path })
    try {
      const entries = await findZipEntries(zip, {
        names: new Set([ACTOR, OUTBOX, ...Object.values(SAVED)]),
        byteSize: file.byteSize,
      })
      const outbox = checkEntry(entries.get(OUTBOX), MAX_OUTBOX_BYTES)
      const actor = await readActor(zip, checkEntry(entries.get(ACTOR), MAX_ACTOR_BYTES))
      const name = makeMediaName()
      const fileKey = `${UPLOADED_ARCHIVES_FOLDER}${name.slice(0, 2)}/${name}.zip`
      // Compressed media barely become smaller, so the files of an archive have less than twice its size.
      const archive = { fileKey, actor, fileBytesLeft: 2 * file.byteSize }
      const { fileName } = file
      // The row exists before the file, so that no file remains that no row names.
      const id = await ctx.write((tx) =>
        addImport(tx, { accountId, type: 'archive', overwrite: false, fileName, archive }),
      )
      try {
        const posts = {
          entry: outbox,
          maxItems: MAX_ARCHIVE_ENTRIES,
          maxItemBytes: MAX_ENTRY_BYTES,
          cellsOf: (json: string) => [json],
        }
        let total = await addEntries(ctx, { importId: id, zip, ...posts })
        for (const kind of ['bookmark', 'favourite'] as const) {
          const entry = entries.get(SAVED[kind]) && checkEntry(entries.get(SAVED[kind]), MAX_OUTBOX_BYTES)
          const uris = {
            maxItems: MAX_SAVED_ENTRIES,
            maxItemBytes: MAX_URI_BYTES,
            cellsOf: (json: string) => [uriOf(json), kind],
          }
          if (entry) total += await addEntries(ctx, { importId: id, zip, entry, ...uris })
        }
        if (total === 0) throw fileError('ERR_FILE_EMPTY', 'is empty')
        await ctx.storage.put({ key: fileKey, body: createReadStream(file.path), contentType: 'application/zip' })
        await ctx.storage.setPublic?.({ keys: [fileKey], isPublic: false })
        await ctx.write((tx) => completeImport(tx, { id, total }))
      } catch (err) {
        await ctx.write((tx) => discardImport(tx, { id }))
        await ctx.storage.remove({ keys: [fileKey] })
        throw err
      }
      return id
    } finally {
      zip.close()
    }
  })
}

/** Adds a row for each item of a collection. Returns how many there are. */
async function addEntries(
  ctx: Ctx,
  {
    importId,
    zip,
    entry,
    maxItems,
    maxItemBytes,
    cellsOf,
  }: {
    importId: string
    zip: ZipFile
    entry: Entry
    maxItems: number
    maxItemBytes: number
    cellsOf(json: string): string[]
  },
): Promise<number> {
  const stream = await zip.openReadStreamPromise(entry)
  let rows: { key: null; cells: string[] }[] = []
  let [total, characters] = [0, 0]
  const flush = async (): Promise<void> => {
    const added = rows
    rows = []
    characters = 0
    if (added.length > 0) await ctx.write((tx) => addImportRows(tx, { importId, rows: added }))
  }
  try {
    for await (const item of splitJsonCollection(stream, { property: 'orderedItems', maxItemBytes })) {
      if ((total += 1) > maxItems) throw fileError('ERR_FILE_TOO_LONG', 'has too many entries')
      // The texts of PostgreSQL contain no NUL. A valid document has it only escaped.
      const json = item?.replaceAll('\0', '') ?? ''
      rows.push({ key: null, cells: cellsOf(json) })
      if (rows.length === BATCH_SIZE || (characters += json.length) > BATCH_CHARACTERS) await flush()
    }
  } finally {
    stream.destroy()
  }
  await flush()
  return total
}

/** Returns the URI of an item of a list of statuses; empty if it has none. */
function uriOf(json: string): string {
  try {
    const item = JSON.parse(json) as unknown
    const uri = typeof item === 'object' && item !== null && 'id' in item ? item.id : item
    return typeof uri === 'string' ? uri.replaceAll('\0', '') : ''
  } catch {
    return ''
  }
}

/** Returns the document of the account, if it is a JSON object. */
async function readActor(zip: ZipFile, entry: Entry): Promise<string> {
  const json = await text(await zip.openReadStreamPromise(entry))
  try {
    const actor = JSON.parse(json) as unknown
    if (typeof actor === 'object' && actor !== null && 'id' in actor) return json.replaceAll('\0', '')
  } catch {
    // Not JSON.
  }
  throw notAnArchive()
}

function checkEntry(entry: Entry | undefined, maxBytes: number): Entry {
  if (!entry) throw notAnArchive()
  if (entry.uncompressedSize > maxBytes) throw fileError('ERR_FILE_TOO_LARGE', 'is too large')
  return entry
}

async function asFileErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (err) {
    throw isZipDamage(err) || err instanceof InvalidCollectionError ? notAnArchive() : err
  }
}

function notAnArchive(): Error {
  return fileError('ERR_FILE_ARCHIVE', 'is not an archive of an account')
}
