import type { AdminSetting as ServerAdminSetting } from '../../../../src/entities/admin/settings/admin-setting.ts'
import { adminApi } from './admin-api.ts'
import type { CamelCased } from './camel-cased.ts'
import { sendRequest } from './send-request.ts'

export type AdminSetting = CamelCased<ServerAdminSetting>

/** The settings of the server by their names, such as `contact_email`. */
export type ServerSettings = Record<string, AdminSetting['value']>

/** Returns all settings with their types and defaults. Only for staff who may manage them. */
export async function listServerSettings(): Promise<AdminSetting[]> {
  return (await adminApi('settings').fetch()) as AdminSetting[]
}

/** Changes settings of the server: all of them, or none if a value is invalid. Returns all settings. */
export async function changeServerSettings(changes: ServerSettings): Promise<AdminSetting[]> {
  return sendRequest({ method: 'PATCH', path: '/api/v1/admin/settings', body: changes })
}

export function settingsByName(settings: readonly AdminSetting[]): ServerSettings {
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]))
}
