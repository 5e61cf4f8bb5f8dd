import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, closeSession, currentAccountId, listAccounts, switchAccount } from '../../../lib/session.ts'
import type { Account } from '../../../lib/api/entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { startData } from '../../../lib/start-data.ts'
import { Avatar } from '../../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../../ui/accounts/display-name.tsx'
import { MenuButton } from '../../../ui/menus/menu.tsx'
import type { MenuItem } from '../../../ui/menus/menu.tsx'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { ownAccountQuery } from './own-account.ts'
import { isStaff } from '../staff-permissions.ts'
import styles from './account-menu.module.css'

/** The other accounts that are logged in in this browser. */
const otherAccountsQuery = {
  queryKey: ['other-accounts'],
  queryFn: async () => {
    const ids = (await listAccounts()).filter((id) => id !== currentAccountId())
    const accounts = await Promise.allSettled(ids.map(async (id) => api().v1.accounts.$select(id).fetch()))
    // One may have been deleted meanwhile.
    return accounts.flatMap((found) => (found.status === 'fulfilled' ? [found.value as unknown as Account] : []))
  },
}

const administration = (run: () => void): MenuItem => ({
  label: message('web.account.administration'),
  icon: 'shield',
  run,
})

/** The account of the user, with a menu to switch to another one and to log out. `hasNames`: also in narrow windows. */
export function AccountMenu({ hasNames = false }: { hasNames?: boolean }) {
  const { data: account } = useQuery(ownAccountQuery)
  const { data: others = [] } = useQuery(otherAccountsQuery)
  const navigate = useNavigate()
  if (!account) return null
  const items: MenuItem[] = [
    {
      label: message('web.account.profile'),
      icon: 'people',
      run: () => void navigate({ to: '/@{$acct}', params: { acct: account.acct } }),
    },
    ...others.map(({ id, acct }) => ({
      label: message('web.account.switch', { name: `@${acct}` }),
      icon: 'refresh' as const,
      run: () => switchAccount(id),
    })),
    {
      label: message('web.account.add'),
      icon: 'plus',
      run: () => location.assign('/auth/sign_in?force=1&next=%2Fhome'),
    },
    ...(isStaff(account.role.permissions) ? [administration(() => void navigate({ to: '/admin' }))] : []),
    { label: message('web.account.settings'), icon: 'settings', run: () => void navigate({ to: '/settings' }) },
    { label: message('web.account.log-out'), icon: 'external', run: () => void logOut(), dangerous: true },
  ]
  return (
    <MenuButton
      label={message('web.account.menu', { name: `@${account.acct}` })}
      items={items}
      className={styles.button ?? ''}
    >
      <Avatar account={account} />
      <span className={hasNames ? `${styles.names} ${styles.always}` : styles.names}>
        <strong className="cut-line">
          <DisplayName account={account} />
        </strong>
        <span className={`cut-line ${styles.handle}`}>
          <bdi>@{account.acct}</bdi>
        </span>
      </span>
    </MenuButton>
  )
}

/** Revokes the token, then ends the browser session if it belongs to the same account. Without a network, says so. */
async function logOut(): Promise<void> {
  const isBrowserSession = currentAccountId() === startData.accountId
  try {
    await closeSession()
  } catch {
    return showToast({
      kind: 'alert',
      text: message('web.account.log-out-failed'),
      action: { label: message('web.retry'), run: () => void logOut() },
    })
  }
  if (!isBrowserSession) return location.assign('/home')
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/auth/sign_out'
  const csrf = document.createElement('input')
  csrf.name = 'csrf'
  csrf.value = startData.csrf
  form.append(csrf)
  document.body.append(form)
  form.submit()
}
