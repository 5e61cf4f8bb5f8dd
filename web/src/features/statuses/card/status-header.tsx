import { Link } from '@tanstack/react-router'
import { message } from '../../../lib/i18n/messages.ts'
import { DisplayName } from '../../../ui/accounts/display-name.tsx'
import { Icon } from '../../../ui/icons/icon.tsx'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { VisibilityIcon } from './visibility-icon.tsx'
import type { StoredStatus } from '../status-store.ts'
import styles from './status-header.module.css'

/** The author of a status in a list, with its visibility and its age, which links to its thread. */
export function StatusHeader({ status }: { status: StoredStatus }) {
  const { account } = status
  return (
    <header className={styles.header}>
      <Link
        to="/@{$acct}"
        params={{ acct: account.acct }}
        className={styles.author}
        data-key="p"
        data-card={account.acct}
      >
        <strong className={`cut-line ${styles.name}`}>
          <DisplayName account={account} />
        </strong>{' '}
        <span className={`cut-line ${styles.handle}`}>
          <bdi>@{account.acct}</bdi>
        </span>
      </Link>
      <span className={styles.meta}>
        <VisibilityIcon visibility={status.visibility} />
        {status.editedAt && (
          <span title={message('web.status.edited')}>
            <Icon name="write" />
            <span className="unseen">{message('web.status.edited')}</span>
          </span>
        )}
        <Link to="/@{$acct}/$id" params={{ acct: account.acct, id: status.id }} className={styles.time} data-key="o">
          <TimeAgo time={status.createdAt} />
        </Link>
      </span>
    </header>
  )
}
