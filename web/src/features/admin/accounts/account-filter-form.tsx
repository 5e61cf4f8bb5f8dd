import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { message } from '../../../lib/i18n/messages.ts'
import { rolesQuery } from '../roles/role-queries.ts'
import { FilterChoice, FilterForm, FilterText } from '../shared/form/filter-form.tsx'
import { useStaff } from '../shared/shell/use-staff.ts'
import { ORIGINS, readAccountFilters, STATUSES, TEXT_FILTERS } from './account-filters.ts'
import type { AccountFilters } from './account-filters.ts'
import admin from '../shared/admin.module.css'

/** The filters of the list of accounts. */
export function AccountFilterForm({ filters }: { filters: AccountFilters }) {
  const navigate = useNavigate()
  const staff = useStaff()
  const canSeeRoles = staff?.can('manageRoles') ?? false
  const { data: roles = [] } = useQuery({ ...rolesQuery, enabled: canSeeRoles })
  const show = (search: AccountFilters) => void navigate({ to: '/admin/accounts', search })
  return (
    <FilterForm
      filters={filters}
      isActive={Object.keys(filters).length > 0}
      onApply={(values) => show(readAccountFilters(values))}
      onReset={() => show({})}
    >
      <FilterChoice
        name="origin"
        label={message('web.admin.accounts.origin')}
        value={filters.origin}
        options={ORIGINS.map((name) => [name, message(`web.admin.accounts.origin.${name}`)])}
      />
      <FilterChoice
        name="status"
        label={message('web.admin.accounts.status')}
        value={filters.status}
        options={STATUSES.map((name) => [name, message(`web.admin.accounts.status.${name}`)])}
      />
      <FilterChoice
        name="permissions"
        label={message('web.admin.accounts.permissions')}
        value={filters.permissions}
        options={[['staff', message('web.admin.accounts.staff')]]}
      />
      {canSeeRoles && (
        <FilterChoice
          name="role"
          label={message('web.admin.account.role')}
          value={filters.role}
          options={roles.filter(({ name }) => name !== '').map(({ id, name }) => [id, name])}
        />
      )}
      {TEXT_FILTERS.map((name) => (
        <FilterText key={name} name={name} label={message(`web.admin.accounts.${name}`)} value={filters[name]} />
      ))}
      {filters.invitedBy !== undefined && (
        <label className={admin.check}>
          <input type="checkbox" name="invitedBy" value={filters.invitedBy} defaultChecked />
          {message('web.admin.accounts.invited')}
        </label>
      )}
    </FilterForm>
  )
}
