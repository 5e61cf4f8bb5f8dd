import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

/** A local custom emoji. */
export interface OwnEmoji {
  shortcode: string
  image_key: string
  static_image_key: string
  category: string | null
  /** Whether clients offer it. */
  visible_in_picker: boolean
}

const load = statement<{ row: OwnEmoji; notNull: 'image_key' | 'static_image_key' }>(
  `select shortcode, image_key, static_image_key, category, visible_in_picker from custom_emojis
   where domain is null and not disabled and image_key is not null and static_image_key is not null
   order by shortcode`,
)

/** Returns the enabled local custom emojis, ordered by shortcode (Mastodon: GET /api/v1/custom_emojis). */
export async function listEmojis(read: Read): Promise<OwnEmoji[]> {
  return load(read.db)
}
