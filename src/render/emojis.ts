import type { Read } from '../domain/context.ts'
import { listEmojis } from '../domain/emojis/list.ts'
import type { CustomEmoji } from '../entities/emoji.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import type { Config } from '../platform/config.ts'
import { fileUrl } from './media.ts'
import { proxiedEmoji } from './proxied.ts'

export interface EmojiFacts {
  id: string
  shortcode: string
  image_key: string | null
  static_image_key: string | null
  image_remote_url: string | null
  visible_in_picker: boolean
}

/** The custom emojis among the ids in `column`, as JSON for `presentEmojis`; null where there are none. */
export function emojisOf(column: string): string {
  return `case when ${column} <> '{}' then (
     select jsonb_agg(jsonb_build_object('id', em.id::text, 'shortcode', em.shortcode, 'image_key', em.image_key,
       'static_image_key', em.static_image_key, 'image_remote_url', em.image_remote_url,
       'visible_in_picker', em.visible_in_picker) order by em.shortcode)
     from custom_emojis em where em.id = any(${column}) and not em.disabled) end`
}

export function presentEmojis(config: Config, emojis: readonly EmojiFacts[] | null): CustomEmoji[] {
  return (emojis ?? []).flatMap(({ shortcode, visible_in_picker, ...facts }) => {
    const url = urlOf(config, facts, { key: facts.image_key, still: false })
    if (url === null) return []
    const staticUrl = urlOf(config, facts, { key: facts.static_image_key ?? facts.image_key, still: true })
    return [{ shortcode, url, static_url: staticUrl ?? url, visible_in_picker }]
  })
}

function urlOf(
  config: Config,
  { id, image_remote_url: remoteUrl }: Pick<EmojiFacts, 'id' | 'image_remote_url'>,
  { key, still }: { key: string | null; still: boolean },
): string | null {
  return key === null ? proxiedEmoji(config, { id, still, remoteUrl }) : fileUrl(config, key)
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
