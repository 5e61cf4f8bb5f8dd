import { permits } from '../accounts/staff.ts'
import { visibleTo } from '../statuses/visibility.ts'

/**
 * Whether a notification may be shown to whom it is for, as SQL over an alias of `notifications`; `viewer` is whose it is.
 * What it tells of may have been hidden since: by a block, by the end of a follow, by the staff; and reports are for
 * those who are of the staff now.
 */
export function isShown(n: string, viewer = '$accountId'): string {
  return `${isShownBesides(n, viewer)}
  and (${n}.status_id is null or exists (select from statuses s where s.id = ${n}.status_id and ${visibleTo(viewer)}))`
}

/** The same, whatever may be seen of a status that it tells of. */
export function isShownBesides(n: string, viewer: string): string {
  return `${n}.account_id = ${viewer}
  and not exists (select from accounts a where a.id = ${n}.from_account_id and a.suspended_at is not null)
  and (${n}.report_id is null or exists (
    select from users u join roles r on r.id = u.role_id
    where u.account_id = ${viewer} and ${permits('manageReports')}))`
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

/** The SQL expressions of a choice: parameters, or columns of a table. */
interface ChoiceNames {
  kinds: string
  exceptKinds: string
  fromAccount: string
  withFiltered: string
}

/** The parameters of `choiceParameters`. */
export const CHOICE: ChoiceNames = {
  kinds: '$kinds',
  exceptKinds: '$exceptKinds',
  fromAccount: '$fromAccountId',
  withFiltered: '$withFiltered',
}

export interface ChoiceParameters {
  kinds: readonly string[] | null
  exceptKinds: readonly string[]
  fromAccountId: string | null
  withFiltered: boolean
}

/** The part of a statement that keeps the kinds that are asked for. */
export function isOfKind(n: string, { kinds, exceptKinds }: ChoiceNames): string {
  return `((${kinds}::text[] is null or ${n}.type = any(${kinds})) and not ${n}.type = any(${exceptKinds}::text[]))`
}

/** The part of a statement that keeps those asked for. */
export function isChosen(n: string, names: ChoiceNames): string {
  const { fromAccount, withFiltered } = names
  return `(${isOfKind(n, names)} and (${fromAccount}::bigint is null or ${n}.from_account_id = ${fromAccount})
    and (${withFiltered}::boolean or not ${n}.filtered))`
}

export function choiceParameters({
  kinds = null,
  exceptKinds = [],
  fromAccountId = null,
  withFiltered = false,
}: NotificationChoice): ChoiceParameters {
  return { kinds, exceptKinds, fromAccountId, withFiltered }
}
