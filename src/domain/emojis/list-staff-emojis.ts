import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'

/** A custom emoji as the staff see it. */
export interface StaffEmoji {
  id: string
  shortcode: string
  /** null: local. */
  domain: string | null
  image_key: string | null
  static_image_key: string | null
  image_remote_url: string | null
  category: string | null
  visible_in_picker: boolean
  disabled: boolean
  created_at: Date
  updated_at: Date
}

/** null: any. */
export interface EmojiFilters {
  origin: 'local' | 'remote' | null
  domain: string | null
  /** The beginning of the shortcode. */
  prefix: string | null
  category: string | null
  disabled: boolean | null
}

type Query = { params: EmojiFilters & PageParameters; row: StaffEmoji }

const COLUMNS = `e.id, e.shortcode, e.domain, e.image_key, e.static_image_key, e.image_remote_url, e.category,
  e.visible_in_picker, e.disabled, e.created_at, e.updated_at`
const KEYSET = keysetClause('e.id')
const select = (origin: string) => `select ${COLUMNS} from custom_emojis e where ${origin}
  and ($prefix::text is null or starts_with(e.shortcode, $prefix))
  and ($category::text is null or e.category = $category)
  and ($disabled::boolean is null or e.disabled = $disabled) and ${KEYSET.where}`
const ANY = `($origin::text is null or e.domain is not null) and ($domain::text is null or e.domain = $domain)`
// Separate statements, because the local ones have an index.
const LOCAL = `e.domain is null and $origin = 'local' and $domain::text is null`

const find = statement<{ params: { id: string }; row: StaffEmoji }>(
  `select ${COLUMNS} from custom_emojis e where e.id = $id`,
)
const listDescending = statement<Query>(`${select(ANY)} ${KEYSET.descending}`)
const listAscending = statement<Query>(`${select(ANY)} ${KEYSET.ascending}`)
const listLocalDescending = statement<Query>(`${select(LOCAL)} ${KEYSET.descending}`)
const listLocalAscending = statement<Query>(`${select(LOCAL)} ${KEYSET.ascending}`)
const countCategories = statement<{ row: EmojiCategory; notNull: 'name' }>(
  `select category as name, count(*)::int as emojis from custom_emojis
   where domain is null and category is not null group by category order by category`,
)

/** A category of local custom emojis, and how many it has. */
export interface EmojiCategory {
  name: string
  emojis: number
}

/** Returns a page of custom emojis, newest first, with disabled and unlisted ones. */
export async function listStaffEmojis(
  read: Read,
  { filters, page }: { filters: EmojiFilters; page: Page },
): Promise<StaffEmoji[]> {
  const params = { ...filters, ...pageParameters(page) }
  const local = filters.origin === 'local'
  return readKeysetPage(page, {
    descending: () => (local ? listLocalDescending : listDescending)(read.db, params),
    ascending: () => (local ? listLocalAscending : listAscending)(read.db, params),
  })
}

/** Returns one custom emoji. @throws NotFoundError */
export async function getStaffEmoji(read: Pick<Read, 'db'>, { id }: { id: string }): Promise<StaffEmoji> {
  const [row] = isId(id) ? await find(read.db, { id }) : []
  if (!row) throw new NotFoundError()
  return row
}

/** Returns the categories of the local custom emojis by name. */
export async function listEmojiCategories(read: Read): Promise<EmojiCategory[]> {
  return countCategories(read.db)
}
