import { queryOptions } from '@tanstack/react-query'
import { listServerSettings } from '../../lib/api/server-settings.ts'

/** The settings of the server, for staff who may manage them. */
export const serverSettingsQuery = queryOptions({ queryKey: ['server-settings'], queryFn: listServerSettings })
