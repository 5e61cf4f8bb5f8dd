import { useId } from 'react'
import { message } from '../../../lib/i18n/messages.ts'
import { Switch } from '../shared/form/field.tsx'
import { GROUPED_PERMISSIONS, INVITE_USERS, isAdministrator, permits } from './permission-groups.ts'
import type { RoleRights } from './role-queries.ts'
import admin from '../shared/admin.module.css'
import styles from './roles.module.css'

/** The permissions of a role in groups. Those that the user cannot grant are disabled. */
export function PermissionFields({
  permissions,
  before,
  rights,
  isBase,
  isOwn,
  error,
  onChange,
}: {
  /** A bit mask as a decimal number. */
  permissions: string
  before: string
  rights: RoleRights
  isBase: boolean
  isOwn: boolean
  error: string | undefined
  onChange: (permissions: string) => void
}) {
  const id = useId()
  const mask = BigInt(permissions)
  const canChange = (bit: bigint): boolean => {
    if (isOwn) return false
    if (isBase) return bit === INVITE_USERS
    return permits(rights.permissions, bit) || (BigInt(before) & bit) !== 0n
  }
  return (
    <section className={styles.group} aria-labelledby={id}>
      <h2 id={id} className={admin.heading}>
        {message('web.admin.roles.permissions')}
      </h2>
      <p className={admin.soft}>
        {message(
          isOwn ? 'web.admin.roles.own' : isBase ? 'web.admin.roles.base-permissions' : 'web.admin.roles.grantable',
        )}
      </p>
      {error !== undefined && <p className={styles.error}>{error}</p>}
      <div className={styles.groups}>
        {GROUPED_PERMISSIONS.map(({ group, permissions: ofGroup }) => (
          <fieldset key={group} className={styles.group}>
            <legend>{message(`web.admin.roles.group.${group}`)}</legend>
            {ofGroup.map(({ name, bit }) => (
              <Switch
                key={name}
                label={message(`web.admin.permission.${name}`)}
                hint={message(`web.admin.permission.${name}.hint`)}
                isOn={permits(mask, bit)}
                isDisabled={!canChange(bit) || (name !== 'administrator' && isAdministrator(mask))}
                onChange={(isOn) => onChange(String(isOn ? mask | bit : mask & ~bit))}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </section>
  )
}
