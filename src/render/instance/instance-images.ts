import type { ThumbnailRow } from '../../domain/instance/thumbnail.ts'
import type { Instance } from '../../entities/instance/instance.ts'
import type { Config } from '../../platform/config/config.ts'
import { SITE_ICON_SIDES } from '../../platform/media/images/rendition.ts'
import { fileUrl } from '../media/render-media.ts'

/** Returns the image that represents the server: the one that the staff have chosen, or else a general one. */
export function instanceThumbnail(config: Config, row: ThumbnailRow | null): Instance['thumbnail'] {
  if (!row) return { url: `${config.origin}/pages/preview.png`, blurhash: null, versions: null, description: '' }
  const { file_key: key, large_file_key: largeKey, blurhash, description } = row
  const url = fileUrl(config, key)
  const versions = { '@1x': url, '@2x': largeKey === null ? url : fileUrl(config, largeKey) }
  return { url, blurhash, versions, description }
}

/** Returns the icons of the server, under the same URLs whether or not the staff have chosen one. */
export function instanceIcons(config: Config): Instance['icon'] {
  return Object.values(SITE_ICON_SIDES).map((side) => ({
    src: `${config.origin}/pages/icon-${side}.png`,
    size: `${side}x${side}`,
  }))
}
