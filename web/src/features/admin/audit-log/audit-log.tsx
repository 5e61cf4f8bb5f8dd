import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminAuditLogEntry } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { FilterChoice, FilterForm } from '../shared/form/filter-form.tsx'
import { AdminList } from '../shared/list/admin-list.tsx'
import { listQuery } from '../shared/list/list-query.ts'
import { AuditEntry } from './audit-entry.tsx'
import { AUDIT_ACTIONS, AUDIT_TARGETS } from './audit-names.ts'
import { nameOfAction, nameOfTarget } from './audit-texts.ts'
import { readAuditLogFilters } from './audit-log-filters.ts'
import type { AuditLogFilters } from './audit-log-filters.ts'
import admin from '../shared/admin.module.css'

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
      <AuditLogFilterForm filters={filters} />
      <AdminList query={query} empty={message(isActive ? 'web.admin.audit.no-match' : 'web.admin.audit.empty')}>
        {(entry) => <AuditEntry entry={entry} />}
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
      filters={filters}
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
