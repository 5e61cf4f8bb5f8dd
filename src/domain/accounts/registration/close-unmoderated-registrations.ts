import { statement } from '../../../platform/db/statement.ts'
import { hasPermissionSql } from '../../access/permissions.ts'
import { usableUser } from '../../access/usable-account.ts'
import type { Ctx } from '../../context.ts'
import { recordAuditEntry } from '../../core/record-audit-entry.ts'
import { lockSetting, writeSetting } from '../../core/settings-store.ts'
import { readRegistrationsMode, REGISTRATIONS_SETTING } from './read-registrations-mode.ts'

/** Days without an active moderator after which open registrations need approval, as in Mastodon. */
export const MODERATOR_DAYS = 8

// `last_seen_at` is set at most once a day.
const findActive = statement<{ params: { since: Date }; row: { id: string } }>(
  `select u.id from users u join roles r on r.id = u.role_id join accounts a on a.id = u.account_id
   where ${hasPermissionSql('manageReports')} and u.last_seen_at >= $since and ${usableUser()} limit 1`,
)

// Without a choice of the administrators, registrations are open since the first start, which stores the domain.
const findOpening = statement<{ params: { setting: string }; row: { opened_at: Date } }>(
  `select updated_at as opened_at from settings where name in ($setting, 'local_domain')
   order by name = $setting desc limit 1`,
)

/**
 * Effect: changes open registrations to approval mode if no user who can manage reports was active for some days, since
 * spammers look for servers without moderators. The days begin at the earliest when the registrations were opened, so
 * that a new server is not closed before its moderators could log in. Not with EMAIL_DOMAIN_ALLOWLIST, which limits who
 * can sign up, or with DISABLE_AUTOMATIC_SWITCHING_TO_APPROVED_REGISTRATIONS.
 */
export async function closeUnmoderatedRegistrations(ctx: Ctx): Promise<void> {
  const { switchesToApproval, emailDomains } = ctx.config
  if (!switchesToApproval || emailDomains.allowed.length > 0) return
  await ctx.write(async (tx) => {
    // The lock keeps a concurrent change by an administrator from being overwritten.
    await lockSetting(tx, { name: REGISTRATIONS_SETTING })
    if ((await readRegistrationsMode(tx)) !== 'open') return
    const since = new Date(tx.now.getTime() - MODERATOR_DAYS * 86_400_000)
    const [opening] = await findOpening(tx.db, { setting: REGISTRATIONS_SETTING })
    if (!opening || opening.opened_at >= since) return
    if ((await findActive(tx.db, { since })).length > 0) return
    await writeSetting(tx, { name: REGISTRATIONS_SETTING, value: 'approved' })
    await recordAuditEntry(tx, {
      by: null,
      action: 'update',
      targetType: 'setting',
      targetId: null,
      label: 'registrations',
      details: { old: 'open', new: 'approved' },
    })
    tx.emit('registrations.closed_automatically', { at: tx.now.getTime() })
  })
}
