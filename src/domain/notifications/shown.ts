import { permits } from '../accounts/staff.ts'
import { visibleTo } from '../statuses/visibility.ts'

/**
 * Whether a notification may be shown to whom it is for, as SQL over an alias of `notifications`; $1 is whose it is.
 * What it tells of may have been hidden since: by a block, by the end of a follow, by the staff; and reports are for
 * those who are of the staff now.
 */
export function isShown(n: string): string {
  return `${isShownBesides(n)}
  and (${n}.status_id is null or exists (select from statuses s where s.id = ${n}.status_id and ${visibleTo('$1')}))`
}

/** The same, whatever may be seen of a status that it tells of. */
export function isShownBesides(n: string): string {
  return `${n}.account_id = $1
  and not exists (select from accounts a where a.id = ${n}.from_account_id and a.suspended_at is not null)
  and (${n}.report_id is null or exists (
    select from users u join roles r on r.id = u.role_id where u.account_id = $1 and ${permits('manageReports')}))`
}

/** Which of their notifications somebody asks for. */
export interface NotificationChoice {
  /** Only these; null = all. A kind that there is not is the kind of none. */
  kinds?: readonly string[] | null
  exceptKinds?: readonly string[]
  fromAccountId?: string | null
  /** Also those that the policy holds back. */
  withFiltered?: boolean
}

/** The part of a statement that keeps the kinds that are asked for, with the parameters from `$at` on. */
export function isOfKind(n: string, at: number): string {
  return `(($${at}::text[] is null or ${n}.type = any($${at})) and not ${n}.type = any($${at + 1}::text[]))`
}

/** The part of a statement that keeps those asked for, with the parameters from `$at` on. */
export function isChosen(n: string, at: number): string {
  return `(${isOfKind(n, at)}
    and ($${at + 2}::bigint is null or ${n}.from_account_id = $${at + 2}) and ($${at + 3}::boolean or not ${n}.filtered))`
}

export function choiceValues({
  kinds = null,
  exceptKinds = [],
  fromAccountId = null,
  withFiltered = false,
}: NotificationChoice): unknown[] {
  return [kinds, exceptKinds, fromAccountId, withFiltered]
}
