import type { WarningPresetRow } from '../../../domain/moderation/strikes/warning-presets.ts'
import type { AdminWarningPreset } from '../../../entities/admin/accounts/admin-warning-preset.ts'

export function renderAdminWarningPreset(preset: WarningPresetRow): AdminWarningPreset {
  const { id, title, text, created_at, updated_at } = preset
  return { id, title, text, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() }
}
