import type { SettingState } from '../../../domain/instance/instance-settings.ts'
import type { SettingName } from '../../../domain/instance/setting-definitions.ts'
import type { TermsVersion } from '../../../domain/instance/terms-of-service.ts'
import type { SiteIcon } from '../../../domain/instance/site-icon.ts'
import type { ThumbnailRow } from '../../../domain/instance/thumbnail.ts'
import type { AdminIcon } from '../../../entities/admin/settings/admin-icon.ts'
import type { AdminSetting } from '../../../entities/admin/settings/admin-setting.ts'
import type { AdminTermsOfService } from '../../../entities/admin/settings/admin-terms-of-service.ts'
import type { AdminThumbnail } from '../../../entities/admin/settings/admin-thumbnail.ts'
import type { Config } from '../../../platform/config/config.ts'
import { fileUrl } from '../../media/render-media.ts'

/** Returns the name of a setting in the API: `contact_email` for `contact-email`. */
export function settingKey(name: SettingName): string {
  return name.replaceAll('-', '_')
}

export function renderAdminSetting({ name, definition, value, fallback }: SettingState): AdminSetting {
  return {
    name: settingKey(name),
    description: definition.description,
    type: definition.kind === 'switch' ? 'boolean' : definition.kind,
    value,
    default: fallback,
    allowed_values: definition.kind === 'choice' ? [...definition.values] : null,
    max_characters: 'maxCharacters' in definition ? definition.maxCharacters : null,
  }
}

export function renderAdminTerms(version: TermsVersion): AdminTermsOfService {
  return {
    effective_date: version.effectiveDate,
    effective: version.effective,
    text: version.text,
    succeeded_by: version.succeededBy,
    changelog: version.changelog,
    published_at: version.publishedAt.toISOString(),
    notification_sent_at: version.notificationSentAt?.toISOString() ?? null,
  }
}

/** `row` null: the staff have chosen no image. */
export function renderAdminThumbnail(config: Config, row: ThumbnailRow | null): AdminThumbnail {
  const { file_key: key = null, large_file_key: largeKey = null, blurhash = null, description = '' } = row ?? {}
  return {
    url: key === null ? null : fileUrl(config, key),
    large_url: largeKey === null ? null : fileUrl(config, largeKey),
    blurhash,
    description,
  }
}

/** `icon` null: the staff have chosen no icon. */
export function renderAdminIcon(config: Config, icon: SiteIcon | null): AdminIcon {
  return { url: icon && fileUrl(config, icon.large) }
}
