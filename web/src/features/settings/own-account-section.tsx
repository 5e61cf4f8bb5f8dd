import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CredentialAccount } from '../../lib/api/entities.ts'
import { message } from '../../lib/i18n/messages.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { ownAccountQuery } from '../accounts/own/own-account.ts'
import { StatusSkeletons } from '../statuses/card/status-skeleton.tsx'
import styles from './settings-page.module.css'

/** Settings that are part of the user's account, once it is loaded. */
export function OwnAccountSection({ children }: { children: (account: CredentialAccount) => ReactNode }) {
  const { data: account, isError, refetch } = useQuery(ownAccountQuery)
  if (account) return <div className={styles.page}>{children(account)}</div>
  if (!isError) return <StatusSkeletons count={2} />
  return (
    <Notice icon="warning" title={message('web.failed')} role="alert">
      <button type="button" className="button" onClick={() => void refetch()}>
        {message('web.retry')}
      </button>
    </Notice>
  )
}
