import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Account } from '../../../lib/api/entities.ts'
import { Avatar } from '../../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../../ui/accounts/display-name.tsx'
import { Biography } from '../profile/about/biography.tsx'
import styles from './account-row.module.css'

/** An account in a list. `children`: its buttons. `note`: a line below the handle. */
export function AccountRow({
  account,
  withBiography = false,
  note,
  children,
}: {
  account: Account
  withBiography?: boolean
  note?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className={styles.row} data-account={account.id}>
      <Link to="/@{$acct}" params={{ acct: account.acct }} className={styles.account}>
        <Avatar account={account} />
        <span className={styles.names}>
          <strong className={`cut-line ${styles.name}`}>
            <DisplayName account={account} />
          </strong>
          <span className={`cut-line ${styles.handle}`}>
            <bdi>@{account.acct}</bdi>
          </span>
        </span>
      </Link>
      {children && <div className={styles.actions}>{children}</div>}
      {note && <p className={styles.note}>{note}</p>}
      {withBiography && account.note !== '' && (
        <div className={styles.biography}>
          <Biography html={account.note} emojis={account.emojis} />
        </div>
      )}
    </div>
  )
}
