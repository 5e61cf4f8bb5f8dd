import type { RegistrationsMode } from '../../../platform/config/config.ts'
import type { Read } from '../../context.ts'
import { readSetting } from '../../core/settings-store.ts'

/** The setting that stores the administrators' choice. */
export const REGISTRATIONS_SETTING = 'registrations_mode'

/**
 * Returns whether users may sign up, with or without approval. The setting takes precedence over the environment
 * variable.
 */
export async function readRegistrationsMode(read: Read): Promise<RegistrationsMode> {
  if (read.config.singleUserMode) return 'none'
  return (await readSetting<RegistrationsMode>(read, { name: REGISTRATIONS_SETTING })) ?? read.config.registrationsMode
}
