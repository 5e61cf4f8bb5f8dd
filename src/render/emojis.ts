import type { CustomEmoji } from '../entities/emoji.ts'
import type { Config } from '../platform/config.ts'
import { fileUrl } from './media.ts'

export interface EmojiFacts {
  shortcode: string
  image_key: string | null
  static_image_key: string | null
  image_remote_url: string | null
}

/** The custom emojis among the ids in `column`, as JSON for `presentEmojis`; null where there are none. */
export function emojisOf(column: string): string {
  return `case when ${column} <> '{}' then (
     select jsonb_agg(jsonb_build_object('shortcode', em.shortcode, 'image_key', em.image_key,
       'static_image_key', em.static_image_key, 'image_remote_url', em.image_remote_url) order by em.shortcode)
     from custom_emojis em where em.id = any(${column}) and not em.disabled) end`
}

/** Those of other servers are shown from where they lie. */
export function presentEmojis(config: Config, emojis: readonly EmojiFacts[] | null): CustomEmoji[] {
  return (emojis ?? []).flatMap(({ shortcode, image_key, static_image_key, image_remote_url }) => {
    const url = image_key === null ? image_remote_url : fileUrl(config, image_key)
    if (url === null) return []
    const staticUrl = static_image_key === null ? url : fileUrl(config, static_image_key)
    return [{ shortcode, url, static_url: staticUrl, visible_in_picker: true }]
  })
}
