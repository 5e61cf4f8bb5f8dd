import { ValidationError } from '../../lib/errors.ts'
import type { Read, Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'
import { readStoredSettings, writeSetting } from '../core/settings-store.ts'

/** After how many days rows are pruned; 0: never. */
export interface RetentionPolicy {
  /** Remote statuses that no local account has interacted with. */
  remoteStatusesDays: number
  notificationsDays: number
  /** Earlier versions of remote statuses, after their last edit. */
  remoteVersionsDays: number
  /** Earlier versions of local statuses, after their last edit. */
  localVersionsDays: number
}

const DEFAULTS: Readonly<RetentionPolicy> = {
  remoteStatusesDays: 180,
  notificationsDays: 180,
  remoteVersionsDays: 180,
  localVersionsDays: 0,
}

const STORED_NAMES: Readonly<Record<keyof RetentionPolicy, string>> = {
  remoteStatusesDays: 'retention_remote_statuses_days',
  notificationsDays: 'retention_notifications_days',
  remoteVersionsDays: 'retention_remote_versions_days',
  localVersionsDays: 'retention_local_versions_days',
}

const NAMES = Object.keys(DEFAULTS) as (keyof RetentionPolicy)[]

export const MAX_RETENTION_DAYS = 36_500

/** Returns the policy: the stored days, and the defaults of the others. */
export async function readRetentionPolicy(read: Read): Promise<RetentionPolicy> {
  const stored = await readStoredSettings(read)
  const days = (name: keyof RetentionPolicy): number => {
    const value = stored.get(STORED_NAMES[name])
    return typeof value === 'number' ? value : DEFAULTS[name]
  }
  return Object.fromEntries(NAMES.map((name) => [name, days(name)])) as unknown as RetentionPolicy
}

/**
 * Changes the days that are not undefined (Linnet: PUT /api/v1/admin/retention_policy).
 * @throws ValidationError for a number that is not from 0 to 36,500
 */
export async function changeRetentionPolicy(
  tx: Tx,
  { by, changes }: { by: Actor; changes: { [Name in keyof RetentionPolicy]?: number | undefined } },
): Promise<void> {
  const details: Record<string, number> = {}
  for (const name of NAMES) {
    const days = changes[name]
    if (days === undefined) continue
    if (!Number.isInteger(days) || days < 0 || days > MAX_RETENTION_DAYS) {
      const attribute = STORED_NAMES[name].replace('retention_', '')
      const text = `must be between 0 and ${MAX_RETENTION_DAYS}`
      throw new ValidationError([{ attribute, code: 'ERR_INVALID', text }])
    }
    await writeSetting(tx, { name: STORED_NAMES[name], value: days })
    details[name] = days
  }
  if (Object.keys(details).length === 0) return
  await recordAuditEntry(tx, {
    by,
    action: 'update',
    targetType: 'retention_policy',
    targetId: null,
    label: 'retention policy',
    details,
  })
}
