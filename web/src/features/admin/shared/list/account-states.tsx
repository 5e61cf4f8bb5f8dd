import type { AdminAccount } from '../../../../lib/api/admin-entities.ts'
import { message } from '../../../../lib/i18n/messages.ts'
import styles from './account-states.module.css'

type States = Pick<AdminAccount, 'suspended' | 'silenced' | 'sensitized' | 'disabled' | 'approved'>

/** What the staff have done to an account, as badges. */
export function AccountStates({ account }: { account: States }) {
  const shown = (['suspended', 'silenced', 'sensitized', 'disabled'] as const).filter((state) => account[state])
  const isPending = account.approved === false
  if (shown.length === 0 && !isPending) return null
  return (
    <ul className={styles.states}>
      {isPending && <li>{message('web.admin.state.pending')}</li>}
      {shown.map((state) => (
        <li key={state}>{message(`web.admin.state.${state}`)}</li>
      ))}
    </ul>
  )
}
