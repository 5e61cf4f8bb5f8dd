import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { Account } from '../../../lib/api/entities.ts'
import { locale, message } from '../../../lib/i18n/messages.ts'
import { DisplayName } from '../../../ui/accounts/display-name.tsx'
import { namesOf } from '../notification-groups.ts'
import type { LoadedGroup } from '../notification-groups.ts'

const list = new Intl.ListFormat(locale, { type: 'conjunction' })

/** The names of a group as links: three, then the number of the others. */
export function AccountNames({ group }: { group: Pick<LoadedGroup, 'accounts' | 'notificationsCount'> }) {
  const { shown, otherCount } = namesOf(group)
  const items = shown.map((account) => <AccountName key={account.id} account={account} />)
  if (otherCount > 0)
    items.push(<Fragment key="others">{message('web.notifications.others', { count: otherCount })}</Fragment>)
  // The separators depend on the language.
  const parts = list.formatToParts(items.map((_, index) => String(index)))
  return parts.map(({ type, value }, index) =>
    type === 'element' ? items[Number(value)] : <Fragment key={`separator-${index}`}>{value}</Fragment>,
  )
}

/** Returns the names of a group as text, for screen readers. */
export function nameTextOf(group: Pick<LoadedGroup, 'accounts' | 'notificationsCount'>): string {
  const { shown, otherCount } = namesOf(group)
  const names = shown.map(({ displayName, username }) => displayName || username)
  return list.format(otherCount > 0 ? [...names, message('web.notifications.others', { count: otherCount })] : names)
}

function AccountName({ account }: { account: Account }) {
  return (
    <Link to="/@{$acct}" params={{ acct: account.acct }} data-card={account.acct}>
      <DisplayName account={account} />
    </Link>
  )
}
