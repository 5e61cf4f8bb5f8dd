import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'

/**
 * The folders of the storage with their content. Other folders do not belong to Linnet and are ignored. `local`: the
 * files are of local accounts or settings, not fetched from other servers.
 */
export const STORED_FOLDERS = {
  'media/': { kind: 'attachments', about: 'uploads', local: true },
  'uploads/': { kind: 'processing', about: 'uploads in processing', local: true },
  'avatars/': { kind: 'avatars', about: 'avatars of local accounts', local: true },
  'headers/': { kind: 'headers', about: 'headers of local accounts', local: true },
  'emojis/': { kind: 'emojis', about: 'custom emojis', local: true },
  'site/': { kind: 'thumbnails', about: 'the image and the icon of the server', local: true },
  'cards/': { kind: 'preview_cards', about: 'images of preview cards', local: false },
  'cache/media/': { kind: 'attachments', about: 'cached attachments of remote posts', local: false },
  'cache/previews/': { kind: 'previews', about: 'cached previews of remote attachments', local: false },
  'cache/avatars/': { kind: 'avatars', about: 'cached avatars of remote accounts', local: false },
  'cache/headers/': { kind: 'headers', about: 'cached headers of remote accounts', local: false },
  'cache/emojis/': { kind: 'emojis', about: 'cached remote emojis', local: false },
} as const
export type StoredFolder = keyof typeof STORED_FOLDERS
export const FOLDER_NAMES = Object.keys(STORED_FOLDERS) as StoredFolder[]

/**
 * Returns a statement that finds which of many keys the given columns of tables contain. Some have no index: the join
 * then reads the table once, while `= any` would compare each row with each key.
 */
const referencedIn = (tables: Readonly<Record<string, readonly string[]>>) =>
  statement<{ params: { keys: readonly string[] }; row: { key: string }; notNull: 'key' }>(
    Object.entries(tables)
      .flatMap(([table, columns]) =>
        columns.map(
          (column) => `select named.key from unnest($keys::text[]) named (key) join ${table} on ${column} = named.key`,
        ),
      )
      .join(' union all '),
  )
const cached = referencedIn({ cached_files: ['file_key', 'static_key'] })
const referenced: Record<StoredFolder, ReturnType<typeof referencedIn>> = {
  'media/': referencedIn({ media_attachments: ['file_key', 'preview_key'] }),
  'uploads/': referencedIn({ media_attachments: ['file_key'] }),
  'cards/': referencedIn({ preview_cards: ['image_key'] }),
  'avatars/': referencedIn({ accounts: ['avatar_key', 'avatar_static_key'] }),
  'headers/': referencedIn({ accounts: ['header_key', 'header_static_key'] }),
  'site/': referencedIn({
    instance_thumbnails: ['file_key', 'large_file_key'],
    instance_icons: ['small_file_key', 'medium_file_key', 'large_file_key'],
  }),
  'emojis/': referencedIn({ custom_emojis: ['image_key', 'static_image_key'] }),
  'cache/media/': cached,
  'cache/previews/': cached,
  'cache/avatars/': cached,
  'cache/headers/': cached,
  'cache/emojis/': cached,
}

/** Returns those of the files of a folder that no row references. */
export async function findUnreferencedFiles(
  read: Pick<Read, 'db'>,
  { folder, keys }: { folder: StoredFolder; keys: readonly string[] },
): Promise<string[]> {
  const referencedKeys = new Set((await referenced[folder](read.db, { keys })).map(({ key }) => key))
  return keys.filter((key) => !referencedKeys.has(key))
}

const BATCH_SIZE = 500

const expectedStatement = (table: string, keys: string, where: string) =>
  statement<{ params: { id: string }; row: { id: string; keys: string[] } }>(
    `select id, array_remove(array[${keys}], null) as keys from ${table}
     where id > $id and ${where} order by id limit ${BATCH_SIZE}`,
  )
const EXPECTED = {
  uploads: expectedStatement('media_attachments', 'file_key, preview_key', 'file_key is not null'),
  accounts: expectedStatement(
    'accounts',
    'avatar_key, nullif(avatar_static_key, avatar_key), header_key, nullif(header_static_key, header_key)',
    'coalesce(avatar_key, header_key) is not null',
  ),
  emojis: expectedStatement('custom_emojis', 'image_key, nullif(static_image_key, image_key)', 'image_key is not null'),
  thumbnails: expectedStatement('instance_thumbnails', 'file_key, large_file_key', 'true'),
  icons: expectedStatement('instance_icons', 'small_file_key, medium_file_key, large_file_key', 'true'),
  cached: expectedStatement('cached_files', 'file_key, static_key', 'file_key is not null'),
}
export type ExpectedKind = keyof typeof EXPECTED
export const EXPECTED_KINDS = Object.keys(EXPECTED) as ExpectedKind[]

/** Yields the files that the rows of a kind reference, in batches by ascending id. */
export async function* listExpectedFiles(
  read: Pick<Read, 'db'>,
  { kind }: { kind: ExpectedKind },
): AsyncGenerator<{ id: string; keys: string[] }[]> {
  let rows = await EXPECTED[kind](read.db, { id: '0' })
  while (rows.length > 0) {
    yield rows
    rows = await EXPECTED[kind](read.db, { id: rows.at(-1)!.id })
  }
}

const deleteCachedFiles = statement<{ params: { ids: readonly string[] } }>(
  `delete from cached_files where id = any($ids::bigint[])`,
)

/** Deletes the cache entries of lost files, so that they are fetched again. */
export async function deleteCacheEntries(tx: Pick<Read, 'db'>, { ids }: { ids: readonly string[] }): Promise<void> {
  await deleteCachedFiles(tx.db, { ids })
}

/** Records the deletion of files without a row, before it begins. */
export async function recordOrphanRemoval(tx: Tx, { by }: { by: Actor }): Promise<void> {
  const target = { targetType: 'media_cache', targetId: null, label: 'unreferenced files' } as const
  await recordAuditEntry(tx, { by, action: 'delete', ...target })
}
