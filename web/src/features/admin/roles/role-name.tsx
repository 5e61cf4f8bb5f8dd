import type { AdminRole } from '../../../lib/api/admin-entities.ts'
import { roleName } from './role-queries.ts'
import styles from './roles.module.css'

/** The name of a role with its colour. */
export function RoleName({ role }: { role: Pick<AdminRole, 'id' | 'name' | 'color'> }) {
  return (
    <strong className={styles.name}>
      {role.color !== '' && <span className={styles.color} style={{ backgroundColor: role.color }} />}
      <bdi>{roleName(role)}</bdi>
    </strong>
  )
}
