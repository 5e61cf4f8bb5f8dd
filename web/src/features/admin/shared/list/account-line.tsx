import { Link } from '@tanstack/react-router'
import type { Account } from '../../../../lib/api/entities.ts'
import { Avatar } from '../../../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../../../ui/accounts/display-name.tsx'
import styles from './account-line.module.css'

/** An account with its picture, its name and its handle, which open its profile. */
export function AccountLine({ account, size = 'm' }: { account: Account; size?: 's' | 'm' }) {
  return (
    <Link to="/@{$acct}" params={{ acct: account.acct }} className={styles.line}>
      <Avatar account={account} size={size} />
      <span className={styles.names}>
        <strong>
          <DisplayName account={account} />
        </strong>{' '}
        <bdi className={styles.handle}>@{account.acct}</bdi>
      </span>
    </Link>
  )
}
