import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

/** The folders of the storage, and what lies in each. What is in others is not ours to judge. */
export const STORED = {
  'media/': { about: 'uploads', local: true },
  'uploads/': { about: 'uploads in processing', local: true },
  'avatars/': { about: 'avatars of local accounts', local: true },
  'headers/': { about: 'headers of local accounts', local: true },
  'emojis/': { about: 'custom emojis', local: true },
  'cards/': { about: 'images of preview cards', local: false },
  'cache/media/': { about: 'cached attachments of remote posts', local: false },
  'cache/previews/': { about: 'cached previews of remote attachments', local: false },
  'cache/avatars/': { about: 'cached avatars of remote accounts', local: false },
  'cache/headers/': { about: 'cached headers of remote accounts', local: false },
  'cache/emojis/': { about: 'cached remote emojis', local: false },
} as const
export type StoredFolder = keyof typeof STORED

/** Looks once over a table for many keys, each of which stands in one of the columns. */
const knownIn = (table: string, columns: readonly string[]) =>
  statement<{ params: { keys: readonly string[] }; row: { key: string }; notNull: 'key' }>(
    columns
      .map((column) => `select ${column} as key from ${table} where ${column} = any($keys::text[])`)
      .join(' union all '),
  )
const cached = knownIn('cached_files', ['file_key', 'static_key'])
const known: Record<StoredFolder, ReturnType<typeof knownIn>> = {
  'media/': knownIn('media_attachments', ['file_key', 'preview_key']),
  'uploads/': knownIn('media_attachments', ['file_key']),
  'cards/': knownIn('preview_cards', ['image_key']),
  'avatars/': knownIn('accounts', ['avatar_key', 'avatar_static_key']),
  'headers/': knownIn('accounts', ['header_key', 'header_static_key']),
  'emojis/': knownIn('custom_emojis', ['image_key', 'static_image_key']),
  'cache/media/': cached,
  'cache/previews/': cached,
  'cache/avatars/': cached,
  'cache/headers/': cached,
  'cache/emojis/': cached,
}

/** Of these files of a folder, those that nothing here shows. */
export async function findUnknownFiles(
  read: Pick<Read, 'db'>,
  { folder, keys }: { folder: StoredFolder; keys: readonly string[] },
): Promise<string[]> {
  const shown = new Set((await known[folder](read.db, { keys })).map(({ key }) => key))
  return keys.filter((key) => !shown.has(key))
}

const ROWS = 500

const expected = (table: string, keys: string, where: string) =>
  statement<{ params: { id: string }; row: { id: string; keys: string[] } }>(
    `select id, array_remove(array[${keys}], null) as keys from ${table}
     where id > $id and ${where} order by id limit ${ROWS}`,
  )
const EXPECTED = {
  uploads: expected('media_attachments', 'file_key, preview_key', 'file_key is not null'),
  people: expected(
    'accounts',
    'avatar_key, nullif(avatar_static_key, avatar_key), header_key, nullif(header_static_key, header_key)',
    'coalesce(avatar_key, header_key) is not null',
  ),
  emojis: expected('custom_emojis', 'image_key, nullif(static_image_key, image_key)', 'image_key is not null'),
  cached: expected('cached_files', 'file_key, static_key', 'file_key is not null'),
}
export type ExpectedOf = keyof typeof EXPECTED
export const EXPECTED_OF = Object.keys(EXPECTED) as ExpectedOf[]

/** The files that rows of a kind name, in sets by rising id. */
export async function* listExpectedFiles(
  read: Pick<Read, 'db'>,
  { of }: { of: ExpectedOf },
): AsyncGenerator<{ id: string; keys: string[] }[]> {
  let rows = await EXPECTED[of](read.db, { id: '0' })
  while (rows.length > 0) {
    yield rows
    rows = await EXPECTED[of](read.db, { id: rows.at(-1)!.id })
  }
}

const forget = statement<{ params: { ids: readonly string[] } }>(
  `delete from cached_files where id = any($ids::bigint[])`,
)

/** Of a file that is lost, what was kept of it is forgotten, so that it is asked for again. */
export async function forgetCached(tx: Pick<Read, 'db'>, { ids }: { ids: readonly string[] }): Promise<void> {
  await forget(tx.db, { ids })
}
