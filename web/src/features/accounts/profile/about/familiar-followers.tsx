import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../../../lib/i18n/formats.ts'
import { message } from '../../../../lib/i18n/messages.ts'
import { Avatar } from '../../../../ui/accounts/avatar.tsx'
import { familiarFollowersQuery } from '../../lists/account-queries.ts'
import styles from './familiar-followers.module.css'

const MAX_AVATARS = 3

/** Who of those that the user follows also follows an account. */
export function FamiliarFollowers({ accountId, acct }: { accountId: string; acct: string }) {
  const { data: accounts = [] } = useQuery(familiarFollowersQuery(accountId))
  const [first, second] = accounts.map(({ displayName, username }) => displayName || username)
  if (first === undefined) return null
  const others = accounts.length - 2
  return (
    <Link to="/@{$acct}/followers" params={{ acct }} className={styles.familiar}>
      <span className={styles.avatars}>
        {accounts.slice(0, MAX_AVATARS).map((account) => (
          <Avatar key={account.id} account={account} size="s" />
        ))}
      </span>
      <span>
        {second === undefined
          ? message('web.profile.familiar-one', { name: first })
          : others <= 0
            ? message('web.profile.familiar-two', { first, second })
            : message('web.profile.familiar-more', { first, second, count: formatNumber(others), number: others })}
      </span>
    </Link>
  )
}
