import { Fragment, useId } from 'react'
import type { AdminRole } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import { GROUPED_PERMISSIONS, permits } from './permission-groups.ts'
import { roleName } from './role-queries.ts'
import styles from './roles.module.css'

/** Which role permits what. The table scrolls sideways if the window is narrow. */
export function PermissionTable({ roles }: { roles: readonly AdminRole[] }) {
  const id = useId()
  return (
    <div className={styles.scroll} role="region" aria-labelledby={id} tabIndex={0}>
      <table className={styles.table}>
        <caption id={id} className="unseen">
          {message('web.admin.roles.permissions')}
        </caption>
        <thead>
          <tr>
            <th scope="col">{message('web.admin.roles.permission')}</th>
            {roles.map((role) => (
              <th key={role.id} scope="col">
                <bdi>{roleName(role)}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {GROUPED_PERMISSIONS.map(({ group, permissions }) => (
            <Fragment key={group}>
              <tr>
                <th scope="colgroup" colSpan={roles.length + 1} className={styles.groupName}>
                  {message(`web.admin.roles.group.${group}`)}
                </th>
              </tr>
              {permissions.map(({ name, bit }) => (
                <tr key={name}>
                  <th scope="row">{message(`web.admin.permission.${name}`)}</th>
                  {roles.map((role) => (
                    <td key={role.id}>
                      {permits(BigInt(role.permissions), bit) ? (
                        <span className={styles.yes}>
                          <Icon name="check" />
                          <span className="unseen">{message('web.admin.roles.yes')}</span>
                        </span>
                      ) : (
                        <span className={styles.no}>
                          <span aria-hidden="true">–</span>
                          <span className="unseen">{message('web.admin.roles.no')}</span>
                        </span>
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}
