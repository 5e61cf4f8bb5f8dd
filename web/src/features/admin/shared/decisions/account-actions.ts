import { adminApi } from '../../../../lib/api/admin-api.ts'
import { listOpenReports } from './open-reports.ts'

/** The actions against an account, with the endpoints that end them. The API calls a limit `silence`. */
export const ACCOUNT_ACTIONS = {
  warn: { type: 'none', undo: null },
  freeze: { type: 'disable', undo: 'enable' },
  sensitive: { type: 'sensitive', undo: 'unsensitive' },
  limit: { type: 'silence', undo: 'unsilence' },
  suspend: { type: 'suspend', undo: 'unsuspend' },
} as const
export type AccountAction = keyof typeof ACCOUNT_ACTIONS

/** The message to the user about an action. */
export interface UserMessage {
  text: string
  presetId: string | null
  /** By e-mail and in the app. */
  notify: boolean
}

/**
 * Takes an action against an account. Returns how to take it back; null if that is not possible. The action resolves all
 * open reports about the account; `reopens`: taking it back opens them again.
 */
export async function takeAccountAction({
  accountId,
  action,
  reportId,
  reopens,
  text,
  presetId,
  notify,
}: UserMessage & { accountId: string; action: AccountAction; reportId?: string; reopens: boolean }): Promise<
  (() => Promise<void>) | null
> {
  const { type, undo } = ACCOUNT_ACTIONS[action]
  const resolved = reopens && undo !== null ? await listOpenReports(accountId) : []
  await adminApi('accounts', accountId, 'action').create({
    type,
    text,
    sendEmailNotification: notify,
    ...(reportId !== undefined && { reportId }),
    ...(presetId !== null && { warningPresetId: presetId }),
  })
  if (undo === null) return null
  return async () => {
    await adminApi('accounts', accountId, undo).create()
    await reopenReports(resolved)
  }
}

export async function reopenReports(ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map((id) => adminApi('reports', id, 'reopen').create({})))
}
