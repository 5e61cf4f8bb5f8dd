import { account } from './account/route.ts'
import { emailNotifications } from './email-notifications/route.ts'
import { exports } from './exports/route.ts'
import { imports } from './imports/route.ts'
import { migration } from './migration/route.ts'
import { settings } from './settings/route.ts'
import { strikes } from './strikes/route.ts'

/** The pages of the user's own account. */
export const ACCOUNT_PAGES = [account, settings, strikes, exports, imports, emailNotifications, migration] as const
