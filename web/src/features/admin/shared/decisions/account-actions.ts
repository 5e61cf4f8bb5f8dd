import { adminApi } from '../../../../lib/api/admin-api.ts'

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
 * Takes an action against an account. Returns how to take it back, with the reports that it resolved; null if that is
 * not possible.
 */
export async function takeAccountAction({
  accountId,
  action,
  reportId,
  text,
  presetId,
  notify,
}: UserMessage & { accountId: string; action: AccountAction; reportId?: string }): Promise<
  (() => Promise<void>) | null
> {
  const { type, undo } = ACCOUNT_ACTIONS[action]
  await adminApi('accounts', accountId, 'action').create({
    type,
    text,
    sendEmailNotification: notify,
    ...(reportId !== undefined && { reportId }),
    ...(presetId !== null && { warningPresetId: presetId }),
  })
  if (undo === null) return null
  return async () => {
    await adminApi('accounts', accountId, undo).create({ reopenReports: true })
  }
}

export async function reopenReport(id: string): Promise<void> {
  await adminApi('reports', id, 'reopen').create({})
}
