import type { Read } from '../domain/context.ts'
import { listEmojis } from '../domain/emojis/list.ts'
import type { CustomEmoji } from '../entities/emoji.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import type { Config } from '../platform/config.ts'
import { fileUrl } from './media.ts'

export interface EmojiFacts {
  shortcode: string
  image_key: string | null
  static_image_key: string | null
  image_remote_url: string | null
  visible_in_picker: boolean
}

/** The custom emojis among the ids in `column`, as JSON for `presentEmojis`; null where there are none. */
export function emojisOf(column: string): string {
  return `case when ${column} <> '{}' then (
     select jsonb_agg(jsonb_build_object('shortcode', em.shortcode, 'image_key', em.image_key,
       'static_image_key', em.static_image_key, 'image_remote_url', em.image_remote_url,
       'visible_in_picker', em.visible_in_picker) order by em.shortcode)
     from custom_emojis em where em.id = any(${column}) and not em.disabled) end`
}

/** Those of other servers are shown from where they lie. */
export function presentEmojis(config: Config, emojis: readonly EmojiFacts[] | null): CustomEmoji[] {
  return (emojis ?? []).flatMap(({ shortcode, image_key, static_image_key, image_remote_url, visible_in_picker }) => {
    const url = image_key === null ? image_remote_url : fileUrl(config, image_key)
    if (url === null) return []
    const staticUrl = static_image_key === null ? url : fileUrl(config, static_image_key)
    return [{ shortcode, url, static_url: staticUrl, visible_in_picker }]
  })
}

/** The server's own emojis that apps offer, by their codes, with the categories under which they are found. */
export async function renderEmojis(read: Read): Promise<Json<CustomEmoji[]>> {
  const emojis = (await listEmojis(read)).filter((emoji) => emoji.visible_in_picker)
  return toJson(
    emojis.map(({ shortcode, image_key, static_image_key, category }) => ({
      shortcode,
      url: fileUrl(read.config, image_key),
      static_url: fileUrl(read.config, static_image_key),
      visible_in_picker: true,
      ...(category !== null && { category }),
    })),
  )
}
