import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Account } from '../../lib/api/entities.ts'
import { formatCount } from '../../lib/i18n/formats.ts'
import { message } from '../../lib/i18n/messages.ts'
import { Avatar } from '../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../ui/accounts/display-name.tsx'
import { excerptOf } from '../statuses/content/status-text.ts'
import styles from './account-result.module.css'

/** An account in a list, with the beginning of its biography. `children`: buttons. */
export function AccountResult({ account, children }: { account: Account; children?: ReactNode }) {
  const note = excerptOf(account.note)
  return (
    <li className={styles.account} data-account={account.id}>
      <Link to="/@{$acct}" params={{ acct: account.acct }} className={styles.link}>
        <Avatar account={account} />
        <span className={styles.names}>
          <strong className={styles.name}>
            <DisplayName account={account} />
          </strong>
          <span className={styles.handle}>
            <bdi>@{account.acct}</bdi> ·{' '}
            {message('web.search.followers', {
              number: account.followersCount,
              count: formatCount(account.followersCount),
            })}
          </span>
          {note !== '' && (
            <span className={styles.note} dir="auto">
              {note}
            </span>
          )}
        </span>
      </Link>
      {children && <span className={styles.actions}>{children}</span>}
    </li>
  )
}
