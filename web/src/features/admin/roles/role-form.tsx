import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { AdminRole } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import { ownAccountQuery } from '../../accounts/own/own-account.ts'
import { showDecision } from '../shared/decisions/undo.ts'
import { pick } from '../shared/form/changed-values.ts'
import { Field, Switch } from '../shared/form/field.tsx'
import { FormActions } from '../shared/form/form-actions.tsx'
import { useDraft } from '../../../lib/store/use-draft.ts'
import { SavedForm } from '../shared/form/saved-form.tsx'
import { useSubmit } from '../shared/form/use-submit.ts'
import { QueryResult } from '../shared/list/query-result.tsx'
import { BadgeFields } from './badge-fields.tsx'
import { PermissionFields } from './permission-fields.tsx'
import {
  BASE_ROLE,
  canEdit,
  deleteRole,
  NEW_ROLE,
  roleName,
  rolesQuery,
  saveRole,
  useRoleRights,
  valuesOf,
} from './role-queries.ts'
import type { RoleRights, RoleValues } from './role-queries.ts'
import styles from './roles.module.css'

const MAX_COLLECTIONS = 1000

/** The form of a role. `id`: `new` for a new one. */
export function RoleForm({ id }: { id: string }) {
  const query = useQuery(rolesQuery)
  const rights = useRoleRights(query.data ?? [])
  return (
    <QueryResult query={query}>
      {(roles) => {
        const role = roles.find((one) => one.id === id) ?? null
        if (!rights) return null
        if (id !== 'new' && (!role || !canEdit(role, rights)))
          return <Notice icon="lock" title={message('web.admin.roles.not-editable')} />
        return <Form key={id} role={role} rights={rights} />
      }}
    </QueryResult>
  )
}

function Form({ role, rights }: { role: AdminRole | null; rights: RoleRights }) {
  const before = role ? valuesOf(role) : NEW_ROLE
  // Only what was changed, so that saving the form keeps what other staff have changed meanwhile.
  const { value: changes, isChanged, change, reset } = useDraft<Partial<RoleValues>>(`role-${role?.id ?? 'new'}`, {})
  const value = { ...before, ...changes }
  const { form, errors, failure, isBusy, submit } = useSubmit()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isBase = role?.id === BASE_ROLE
  const isOwn = role?.id === rights.roleId
  const set = (more: Partial<RoleValues>) => change({ ...changes, ...more })
  const refresh = async () => {
    await queryClient.invalidateQueries({ queryKey: ['admin'] })
    await queryClient.invalidateQueries({ queryKey: ownAccountQuery.queryKey })
  }
  const save = () =>
    void submit(async () => {
      const id = await saveRole(role?.id ?? null, role ? changes : value)
      reset()
      showDecision({
        text: message('web.admin.saved', { name: roleName({ id, name: value.name }) }),
        undo: async () => {
          await (role ? saveRole(id, pick(before, Object.keys(changes) as (keyof RoleValues)[])) : deleteRole(id))
          await refresh()
        },
      })
      await refresh()
      await navigate({ to: '/admin/roles' })
    })
  return (
    <SavedForm form={form} onSave={save}>
      <div className={styles.form}>
        {isBase ? (
          <p>{message('web.admin.roles.base')}</p>
        ) : (
          <BadgeFields value={value} errors={errors} onChange={set} />
        )}
        {!isBase && (
          <NumberField
            label={message('web.admin.roles.position')}
            hint={isOwn ? message('web.admin.roles.own') : message('web.admin.roles.position.hint')}
            error={errors['position']}
            max={isOwn ? undefined : rights.position - 1}
            isReadOnly={isOwn}
            value={value.position}
            onChange={(position) => set({ position })}
          />
        )}
        <PermissionFields
          permissions={value.permissions}
          before={before.permissions}
          rights={rights}
          isBase={isBase}
          isOwn={isOwn}
          error={errors['permissions']}
          onChange={(permissions) => set({ permissions })}
        />
        <fieldset className={styles.group}>
          <legend>{message('web.admin.roles.others')}</legend>
          <Switch
            label={message('web.admin.roles.require-2fa')}
            hint={message(isBase ? 'web.admin.roles.require-2fa.all' : 'web.admin.roles.require-2fa.hint')}
            error={errors['require_2fa']}
            isOn={value.require_2fa}
            onChange={(isOn) => set({ require_2fa: isOn })}
          />
          <NumberField
            label={message('web.admin.roles.collections')}
            error={errors['collection_limit']}
            max={MAX_COLLECTIONS}
            value={value.collectionLimit}
            onChange={(collectionLimit) => set({ collectionLimit })}
          />
        </fieldset>
      </div>
      <FormActions isChanged={isChanged} isBusy={isBusy} failure={failure} onDiscard={() => reset()} />
    </SavedForm>
  )
}

function NumberField({
  label,
  hint,
  error,
  max,
  isReadOnly = false,
  value,
  onChange,
}: {
  label: string
  hint?: string
  error: string | undefined
  max: number | undefined
  isReadOnly?: boolean
  value: number
  onChange: (value: number) => void
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => (
        <input
          {...props}
          type="number"
          inputMode="numeric"
          min={0}
          max={max}
          required
          readOnly={isReadOnly}
          value={Number.isNaN(value) ? '' : value}
          onChange={({ target }) => onChange(target.valueAsNumber)}
        />
      )}
    </Field>
  )
}
