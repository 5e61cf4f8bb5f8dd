import type { Tx } from '../../context.ts'

/** When the welcome mail is sent after the user became confirmed and approved, as in Mastodon. */
const WELCOME_DELAY_MS = 3_600_000

/** Schedules the welcome mail of a user who has just become confirmed and approved. */
export function scheduleWelcome(tx: Tx, { accountId }: { accountId: string }): void {
  tx.emit('account.welcome_due', { accountId }, new Date(tx.now.getTime() + WELCOME_DELAY_MS))
}
