import type { AdminSetting as ServerAdminSetting } from '../../../../src/entities/admin/admin-setting.ts'
import type { CamelCased } from './camel-cased.ts'
import { api } from '../session.ts'

type AdminSetting = CamelCased<ServerAdminSetting>

/** The settings of the server by their names, such as `contact_email`. */
export type ServerSettings = Record<string, AdminSetting['value']>

interface SettingsEndpoint {
  fetch(): Promise<AdminSetting[]>
  /** PUT, unless `meta` says otherwise. */
  update(changes: object, meta: { method: 'PATCH' }): Promise<AdminSetting[]>
}

/** Returns all settings. Only for staff who may manage them. */
export async function fetchServerSettings(): Promise<ServerSettings> {
  return byName(await endpoint().fetch())
}

/** Changes settings of the server: all of them, or none if a value is invalid. */
export async function changeServerSettings(changes: ServerSettings): Promise<ServerSettings> {
  return byName(await endpoint().update(changes, { method: 'PATCH' }))
}

function endpoint(): SettingsEndpoint {
  return (api().v1.admin as unknown as { settings: SettingsEndpoint }).settings
}

function byName(settings: readonly AdminSetting[]): ServerSettings {
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]))
}
