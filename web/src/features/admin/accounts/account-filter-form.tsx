import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { message } from '../../../lib/i18n/messages.ts'
import { useStaff } from '../shared/shell/use-staff.ts'
import { ORIGINS, readAccountFilters, STATUSES, TEXT_FILTERS } from './account-filters.ts'
import type { AccountFilters } from './account-filters.ts'
import { rolesQuery } from '../roles/role-queries.ts'
import admin from '../shared/admin.module.css'
import styles from './account-filter-form.module.css'

/** Where the fields do not leave the list below them out of sight. */
const WIDE = '(width >= 48rem)'

/** The filters of the list of accounts. They are part of the URL, so a list can be shared and reloaded. */
export function AccountFilterForm({ filters }: { filters: AccountFilters }) {
  const navigate = useNavigate()
  const staff = useStaff()
  const canSeeRoles = staff?.can('manageRoles') ?? false
  const { data: roles = [] } = useQuery({ ...rolesQuery, enabled: canSeeRoles })
  const apply = (form: HTMLFormElement) => {
    const search = readAccountFilters(Object.fromEntries(new FormData(form)))
    void navigate({ to: '/admin/accounts', search })
  }
  const isOpen = Object.keys(filters).length > 0 || matchMedia(WIDE).matches
  return (
    <details className={styles.filters} open={isOpen}>
      <summary className={styles.summary}>{message('web.admin.filter')}</summary>
      <form
        className={styles.form}
        role="search"
        aria-label={message('web.admin.filter')}
        onSubmit={(event) => {
          event.preventDefault()
          apply(event.currentTarget)
        }}
      >
        <Choice name="origin" label={message('web.admin.accounts.origin')} value={filters.origin}>
          {ORIGINS.map((name) => [name, message(`web.admin.accounts.origin.${name}`)])}
        </Choice>
        <Choice name="status" label={message('web.admin.accounts.status')} value={filters.status}>
          {STATUSES.map((name) => [name, message(`web.admin.accounts.status.${name}`)])}
        </Choice>
        <Choice name="permissions" label={message('web.admin.accounts.permissions')} value={filters.permissions}>
          {[['staff', message('web.admin.accounts.staff')]]}
        </Choice>
        {canSeeRoles && (
          <Choice name="role" label={message('web.admin.account.role')} value={filters.role}>
            {roles.filter(({ name }) => name !== '').map(({ id, name }) => [id, name])}
          </Choice>
        )}
        {TEXT_FILTERS.map((name) => (
          <label key={name} className={admin.label}>
            {message(`web.admin.accounts.${name}`)}
            <input className={admin.field} name={name} dir="auto" autoComplete="off" defaultValue={filters[name]} />
          </label>
        ))}
        {filters.invitedBy !== undefined && (
          <label className={admin.check}>
            <input type="checkbox" name="invitedBy" value={filters.invitedBy} defaultChecked />
            {message('web.admin.accounts.invited')}
          </label>
        )}
        <p className={`${admin.actions} ${styles.actions}`}>
          <button type="submit" className="button button-small">
            {message('web.admin.accounts.apply')}
          </button>
          <button
            type="button"
            className="button button-line button-small"
            onClick={() => void navigate({ to: '/admin/accounts', search: {} })}
          >
            {message('web.admin.accounts.reset')}
          </button>
        </p>
      </form>
    </details>
  )
}

function Choice({
  name,
  label,
  value,
  children,
}: {
  name: string
  label: string
  value: string | undefined
  /** The values with their labels. */
  children: readonly (readonly string[])[]
}) {
  return (
    <label className={admin.label}>
      {label}
      {/* The options of roles arrive later than the value. */}
      <select
        key={children.length}
        className={admin.field}
        name={name}
        defaultValue={value ?? ''}
        onChange={({ target }) => target.form?.requestSubmit()}
      >
        <option value="">{message('web.admin.accounts.all')}</option>
        {children.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
