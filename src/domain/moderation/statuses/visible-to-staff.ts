import { visibleTo } from '../../access/visibility.ts'

/** SQL expression: the ids of the statuses in reports about the account `$accountId`, evaluated once per statement. */
export const REPORTED_IDS = `array(
  select unnest(r.status_ids) from reports r where r.target_account_id = $accountId::bigint)`

/**
 * Returns an SQL condition: whether a status `s` by the account `$accountId` is visible to the member of the staff with
 * the account `$staffId`: a public or unlisted one, a reported one, and one that this account may see in any case.
 */
export function visibleToStaff(s = 's'): string {
  return `(${s}.visibility in ('public', 'unlisted') or ${s}.id = any(${REPORTED_IDS})
    or ${visibleTo('$staffId', s, '$accountId::bigint')})`
}
