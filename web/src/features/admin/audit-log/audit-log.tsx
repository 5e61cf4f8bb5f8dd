import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminAuditLogEntry } from '../../../lib/api/admin-entities.ts'
import { formatFullTime } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Avatar } from '../../../ui/accounts/avatar.tsx'
import { Icon } from '../../../ui/icons/icon.tsx'
import { FilterChoice, FilterForm } from '../shared/form/filter-form.tsx'
import { AdminList } from '../shared/list/admin-list.tsx'
import { listQuery } from '../shared/list/list-query.ts'
import { AUDIT_ACTIONS, AUDIT_TARGETS, nameOfAction, nameOfTarget } from './audit-names.ts'
import { readAuditLogFilters } from './audit-log-filters.ts'
import type { AuditLogFilters } from './audit-log-filters.ts'
import { AuditTarget } from './audit-target.tsx'
import admin from '../shared/admin.module.css'
import row from '../shared/list/row.module.css'
import styles from './audit-log.module.css'

const auditLogQuery = (filters: AuditLogFilters) =>
  listQuery(
    ['audit-log', filters],
    async (page) => (await adminApi('audit_log').fetch({ ...page, ...filters })) as AdminAuditLogEntry[],
  )

/** What the staff did, the newest first. */
export function AuditLog({ filters }: { filters: AuditLogFilters }) {
  const query = useInfiniteQuery(auditLogQuery(filters))
  const isActive = Object.keys(filters).length > 0
  return (
    <>
      <AuditLogFilterForm key={JSON.stringify(filters)} filters={filters} />
      <AdminList query={query} empty={message(isActive ? 'web.admin.audit.no-match' : 'web.admin.audit.empty')}>
        {(entry) => <Entry entry={entry} />}
      </AdminList>
    </>
  )
}

function AuditLogFilterForm({ filters }: { filters: AuditLogFilters }) {
  const navigate = useNavigate()
  const show = (search: AuditLogFilters) => void navigate({ to: '/admin/action_logs', search })
  const { accountId, targetId } = filters
  const sorted = (names: readonly (readonly [string, string])[]) => names.toSorted(([, a], [, b]) => a.localeCompare(b))
  return (
    <FilterForm
      isActive={Object.keys(filters).length > 0}
      onApply={(values) => show(readAuditLogFilters(values))}
      onReset={() => show({})}
    >
      <FilterChoice
        name="action"
        label={message('web.admin.audit.action')}
        value={filters.action}
        options={sorted(AUDIT_ACTIONS.map((name) => [name, nameOfAction(name)]))}
      />
      <FilterChoice
        name="targetType"
        label={message('web.admin.audit.target')}
        value={filters.targetType}
        options={sorted(AUDIT_TARGETS.map((name) => [name, nameOfTarget(name)]))}
      />
      {targetId !== undefined && (
        <label className={admin.check}>
          <input type="checkbox" name="targetId" value={targetId} defaultChecked />
          {message('web.admin.audit.only-target')}
        </label>
      )}
      {accountId !== undefined && (
        <label className={admin.check}>
          <input type="checkbox" name="accountId" value={accountId} defaultChecked />
          {message('web.admin.audit.only-account')}
        </label>
      )}
    </FilterForm>
  )
}

function Entry({ entry }: { entry: AdminAuditLogEntry }) {
  const { account, action, targetType, targetId, label, createdAt } = entry
  const actor = account ? `@${account.acct}` : message('web.admin.audit.no-account')
  const details = Object.entries(entry.details).filter(([, value]) => value !== null && value !== '')
  return (
    <article
      className={row.row}
      tabIndex={0}
      aria-label={`${actor}: ${nameOfAction(action)} · ${nameOfTarget(targetType)} ${label}`}
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
          {nameOfTarget(targetType)} <AuditTarget entry={entry} />
        </p>
        {details.length > 0 && (
          <dl className={styles.details}>
            {details.map(([name, value]) => (
              <div key={name} className={styles.detail}>
                <dt>{name}</dt>
                <dd dir="auto">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
              </div>
            ))}
          </dl>
        )}
        <p className={`${admin.soft} ${styles.meta}`}>
          {account ? (
            <Link to="/admin/action_logs" search={{ accountId: account.id }}>
              <bdi>{actor}</bdi>
            </Link>
          ) : (
            <span>{actor}</span>
          )}
          <time dateTime={createdAt}>{formatFullTime(new Date(createdAt))}</time>
          {targetId !== null && (
            <Link to="/admin/action_logs" search={{ targetType, targetId }}>
              {message('web.admin.audit.history')}
            </Link>
          )}
        </p>
      </div>
    </article>
  )
}
