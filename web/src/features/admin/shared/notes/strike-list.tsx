import { queryOptions, useQuery } from '@tanstack/react-query'
import { adminApi } from '../../../../lib/api/admin-api.ts'
import type { AdminStrike } from '../../../../lib/api/admin-entities.ts'
import { message } from '../../../../lib/i18n/messages.ts'
import { TimeAgo } from '../../../../ui/time-ago.tsx'
import admin from '../admin.module.css'
import styles from './strike-list.module.css'

const strikesQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['admin', 'strikes', accountId],
    queryFn: async () => (await adminApi('accounts', accountId, 'strikes').fetch()) as AdminStrike[],
  })

/** The earlier actions of the staff against an account, the newest first. */
export function StrikeList({ accountId }: { accountId: string }) {
  const { data: strikes } = useQuery(strikesQuery(accountId))
  if (!strikes) return null
  return (
    <>
      <h3 className={styles.heading}>{message('web.admin.reports.strikes', { count: strikes.length })}</h3>
      <ul>
        {strikes.map((strike) => (
          <li key={strike.id} className={styles.strike}>
            {message(`web.admin.strike.${strike.action}`)} · <TimeAgo time={strike.createdAt} />
            {strike.text !== '' && (
              <p className={admin.soft} dir="auto">
                {strike.text}
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
