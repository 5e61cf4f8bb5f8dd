import type { StaffEmoji } from '../../../domain/emojis/list-staff-emojis.ts'
import type { AdminCustomEmoji } from '../../../entities/admin/content/admin-custom-emoji.ts'
import type { Config } from '../../../platform/config/config.ts'
import { emojiUrl } from '../../emojis/render-emojis.ts'

export function renderAdminCustomEmoji(config: Config, emoji: StaffEmoji): AdminCustomEmoji {
  const url = emojiUrl(config, emoji, { key: emoji.image_key, still: false })
  return {
    id: emoji.id,
    shortcode: emoji.shortcode,
    domain: emoji.domain,
    url,
    static_url: emojiUrl(config, emoji, { key: emoji.static_image_key ?? emoji.image_key, still: true }) ?? url,
    category: emoji.category,
    visible_in_picker: emoji.visible_in_picker,
    disabled: emoji.disabled,
    created_at: emoji.created_at.toISOString(),
    updated_at: emoji.updated_at.toISOString(),
  }
}
