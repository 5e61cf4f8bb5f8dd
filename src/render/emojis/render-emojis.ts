import type { Read } from '../../domain/context.ts'
import { listEmojis } from '../../domain/emojis/list-emojis.ts'
import type { CustomEmoji } from '../../entities/statuses/emoji.ts'
import { entity, listJson } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import type { Config } from '../../platform/config/config.ts'
import { fileUrl } from '../media/render-media.ts'
import { proxiedEmoji } from '../media/proxied-url.ts'

export interface EmojiRow {
  id: string
  shortcode: string
  image_key: string | null
  static_image_key: string | null
  image_remote_url: string | null
  /** A time, in JSON. */
  updated_at: string | Date
  visible_in_picker: boolean
}

/** Returns an SQL expression with the `EmojiRow`s of the ids in `column` as JSON; null for none. */
export function emojisOf(column: string): string {
  return `case when ${column} <> '{}' then (
     select jsonb_agg(jsonb_build_object('id', em.id::text, 'shortcode', em.shortcode, 'image_key', em.image_key,
       'static_image_key', em.static_image_key, 'image_remote_url', em.image_remote_url, 'updated_at', em.updated_at,
       'visible_in_picker', em.visible_in_picker) order by em.shortcode)
     from custom_emojis em where em.id = any(${column}) and not em.disabled) end`
}

/** Returns the custom emojis of a text. */
export function renderCustomEmojis(config: Config, emojis: readonly EmojiRow[] | null): CustomEmoji[] {
  return (emojis ?? []).flatMap(({ shortcode, visible_in_picker, ...image }) => {
    const url = emojiUrl(config, image, { key: image.image_key, still: false })
    if (url === null) return []
    const staticUrl = emojiUrl(config, image, { key: image.static_image_key ?? image.image_key, still: true })
    return [
      entity<CustomEmoji>({
        shortcode,
        url,
        static_url: staticUrl ?? url,
        visible_in_picker,
        category: undefined,
        featured: undefined,
      }),
    ]
  })
}

/** Returns the URL of an emoji's image or of its still version; null: it has none. */
export function emojiUrl(
  config: Config,
  { id, image_remote_url: remoteUrl, updated_at: updatedAt }: Pick<EmojiRow, 'id' | 'image_remote_url' | 'updated_at'>,
  { key, still }: { key: string | null; still: boolean },
): string | null {
  return key === null
    ? proxiedEmoji(config, { id, still, remoteUrl, updatedAt: new Date(updatedAt) })
    : fileUrl(config, key)
}

/** Returns the local emojis of emoji pickers with their categories. Mastodon: GET /api/v1/custom_emojis. */
export async function renderEmojis(read: Read): Promise<EntityJson<CustomEmoji[]>> {
  const emojis = (await listEmojis(read)).filter((emoji) => emoji.visible_in_picker)
  return listJson(
    emojis.map(({ shortcode, image_key, static_image_key, category }) =>
      entity<CustomEmoji>({
        shortcode,
        url: fileUrl(read.config, image_key),
        static_url: fileUrl(read.config, static_image_key),
        visible_in_picker: true,
        category: category ?? undefined,
        // Linnet features no categories.
        featured: category === null ? undefined : false,
      }),
    ),
  )
}
