import { Link } from '@tanstack/react-router'
import type { AdminAuditLogEntry } from '../../../lib/api/admin-entities.ts'
import { formatFullTime } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Avatar } from '../../../ui/accounts/avatar.tsx'
import { Icon } from '../../../ui/icons/icon.tsx'
import { detailsOf } from './audit-details.ts'
import { labelOf } from './audit-labels.ts'
import { nameOfAction, nameOfTarget } from './audit-texts.ts'
import { AuditTarget } from './audit-target.tsx'
import { useStaff } from '../shared/shell/use-staff.ts'
import admin from '../shared/admin.module.css'
import row from '../shared/list/row.module.css'
import styles from './audit-log.module.css'

/** What a member of the staff did, with what has changed, and links to what the entry names. */
export function AuditEntry({ entry }: { entry: AdminAuditLogEntry }) {
  const { account, action, targetType } = entry
  const actor = account ? `@${account.acct}` : message('web.admin.audit.no-account')
  const details = detailsOf(entry)
  return (
    <article
      className={row.row}
      tabIndex={0}
      aria-label={`${actor}: ${nameOfAction(action)} · ${nameOfTarget(targetType)} ${labelOf(entry)}`.trim()}
    >
      {account ? (
        <Avatar account={account} size="s" />
      ) : (
        <span className={styles.system}>
          <Icon name="settings" />
        </span>
      )}
      <div className={row.body}>
        <p>
          <strong>{nameOfAction(action)}</strong>
          {' · '}
          <AuditTarget entry={entry} />
        </p>
        {details.length > 0 && (
          <dl className={styles.details}>
            {details.map(({ name, value, time }) => (
              <div key={name} className={styles.detail}>
                <dt>{name}</dt>
                <dd dir="auto">{time === undefined ? value : <time dateTime={time}>{value}</time>}</dd>
              </div>
            ))}
          </dl>
        )}
        <EntryLinks entry={entry} actor={actor} />
      </div>
    </article>
  )
}

function EntryLinks({
  entry: { account, targetType, targetId, createdAt, details },
  actor,
}: {
  entry: AdminAuditLogEntry
  actor: string
}) {
  const staff = useStaff()
  const [seesAccounts, seesReports] = [staff?.mayOpen('/admin/accounts'), staff?.mayOpen('/admin/reports')]
  const { accountId, assignedAccountId, reportId } = details
  return (
    <p className={`${admin.soft} ${styles.meta}`}>
      {account ? (
        <Link to="/admin/action_logs" search={{ accountId: account.id }}>
          <bdi>{actor}</bdi>
        </Link>
      ) : (
        <span>{actor}</span>
      )}
      <time dateTime={createdAt}>{formatFullTime(new Date(createdAt))}</time>
      {seesReports && typeof reportId === 'string' && (
        <Link to="/admin/reports/$id" params={{ id: reportId }}>
          {nameOfTarget('report')}
        </Link>
      )}
      {seesAccounts && typeof accountId === 'string' && (
        <Link to="/admin/accounts/$id" params={{ id: accountId }}>
          {nameOfTarget('account')}
        </Link>
      )}
      {seesAccounts && typeof assignedAccountId === 'string' && (
        <Link to="/admin/accounts/$id" params={{ id: assignedAccountId }}>
          {message('web.admin.audit.assigned-account')}
        </Link>
      )}
      {targetId !== null && (
        <Link to="/admin/action_logs" search={{ targetType, targetId }}>
          {message('web.admin.audit.history')}
        </Link>
      )}
    </p>
  )
}
