import type { RegistrationsMode } from '../../platform/config.ts'
import type { Read } from '../context.ts'
import { readSetting } from '../settings.ts'

/** Under which the owner's choice is kept. */
export const REGISTRATIONS_SETTING = 'registrations_mode'

/** Whether people may sign up, with or without approval. The environment gives the first value, the owner the later ones. */
export async function readRegistrationsMode(read: Read): Promise<RegistrationsMode> {
  if (read.config.singleUserMode) return 'none'
  return (await readSetting<RegistrationsMode>(read, { name: REGISTRATIONS_SETTING })) ?? read.config.registrationsMode
}
