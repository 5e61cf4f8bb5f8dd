import { Link } from '@tanstack/react-router'
import type { Account } from '../../../lib/api/entities.ts'
import { Avatar } from '../../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../../ui/accounts/display-name.tsx'
import styles from './account-row.module.css'

/** An account in a list of those that boosted or favourited a status. */
export function AccountRow({ account }: { account: Account }) {
  return (
    <Link to="/@{$acct}" params={{ acct: account.acct }} className={styles.row} data-card={account.acct}>
      <Avatar account={account} />
      <span className={styles.names}>
        <strong>
          <DisplayName account={account} />
        </strong>
        <bdi className={styles.handle}>@{account.acct}</bdi>
      </span>
    </Link>
  )
}
