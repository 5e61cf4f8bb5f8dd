import type { Config } from '../../../platform/config/config.ts'
import { fileUrl } from '../../../render/media/render-media.ts'
import { mediaTypeOf } from '../../../lib/http/media-type-of.ts'
import { formatTimestamp } from './format-timestamp.ts'

/** Returns an SQL expression for the local custom emojis with the ids in `column`, as a JSON array of `EmojiRow`. */
export function selectEmojis(column: string): string {
  return `(select jsonb_agg(jsonb_build_object('id', e.id::text, 'shortcode', e.shortcode, 'image_key', e.image_key,
      'updated_at', to_char(e.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by e.id)
    from custom_emojis e
    where e.id = any(${column}) and e.domain is null and not e.disabled and e.image_key is not null)`
}

export interface EmojiRow {
  id: string
  shortcode: string
  image_key: string
  updated_at: string | Date
}

export function renderEmoji(config: Config, row: EmojiRow): object {
  const url = fileUrl(config, row.image_key)
  return {
    id: `${config.origin}/emojis/${row.id}`,
    type: 'Emoji',
    name: `:${row.shortcode}:`,
    updated: typeof row.updated_at === 'string' ? row.updated_at : formatTimestamp(row.updated_at),
    icon: { type: 'Image', mediaType: mediaTypeOf(row.image_key) ?? undefined, url },
  }
}
