import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminAccount } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { SteadyButton } from '../../../ui/forms/steady-button.tsx'
import { runOrReport, showDecision } from '../shared/decisions/undo.ts'
import { useStaff } from '../shared/shell/use-staff.ts'
import { rolesQuery, useRoleRights } from '../roles/role-queries.ts'
import admin from '../shared/admin.module.css'

/**
 * The role of a user, for staff who may change roles: one below their own, to another one below their own. It is saved by
 * a button, since keys that move through the choices would grant each of them.
 */
export function RoleChoice({ account, onChange }: { account: AdminAccount; onChange: () => Promise<void> }) {
  const staff = useStaff()
  const isPermitted = (staff?.can('manageRoles') ?? false) && staff?.accountId !== account.id
  const { data: roles } = useQuery({ ...rolesQuery, enabled: isPermitted })
  const rights = useRoleRights(roles ?? [])
  const [chosen, setChosen] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const { role } = account
  if (!isPermitted || !roles || !rights || !role) return null
  const grantable = roles.filter(({ position }) => position < rights.position)
  const isChangeable = grantable.some(({ id }) => id === role.id)
  const choices = isChangeable ? grantable : [role]
  const change = async (roleId: string) => {
    await adminApi('accounts', account.id, 'role').update({ roleId })
    await onChange()
  }
  const save = async (roleId: string) => {
    setIsBusy(true)
    await runOrReport(async () => {
      await change(roleId)
      setChosen(null)
      showDecision({
        text: message('web.admin.account.role.done', { name: `@${account.username}` }),
        undo: () => change(role.id),
      })
    })
    setIsBusy(false)
  }
  return (
    <form
      className={admin.part}
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen !== null) void save(chosen)
      }}
    >
      <label className={admin.label}>
        {message('web.admin.account.role')}
        <select
          className={admin.field}
          value={chosen ?? role.id}
          disabled={!isChangeable}
          onChange={({ target }) => setChosen(target.value === role.id ? null : target.value)}
        >
          {choices.map(({ id, name }) => (
            <option key={id} value={id}>
              {name || message('web.admin.account.no-role')}
            </option>
          ))}
        </select>
      </label>
      {isChangeable && (
        <p className={admin.actions}>
          <SteadyButton
            type="submit"
            className="button button-line button-small"
            isUnusable={chosen === null || isBusy}
          >
            {message('web.admin.save')}
          </SteadyButton>
        </p>
      )}
    </form>
  )
}
