import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import type { Permission } from '../../accounts/staff-permissions.ts'
import type { Staff } from '../shared/shell/use-staff.ts'
import { OPEN_WORK } from './dashboard-queries.ts'
import type { OpenWorkKind } from './dashboard-queries.ts'
import admin from '../shared/admin.module.css'
import styles from './open-work.module.css'

const KINDS = [
  { kind: 'reports', permission: 'manageReports' },
  { kind: 'approvals', permission: 'manageUsers' },
  { kind: 'appeals', permission: 'manageAppeals' },
  { kind: 'deliveries', permission: 'devops' },
] as const satisfies readonly { kind: OpenWorkKind; permission: Permission }[]

/** What waits for a decision, as far as the role of the user permits it. */
export function OpenWorkList({ staff }: { staff: Staff }) {
  const kinds = KINDS.filter(({ permission }) => staff.can(permission))
  if (kinds.length === 0) return null
  return (
    <section className={admin.part}>
      <h2>{message('web.admin.work.title')}</h2>
      <ul className={styles.list}>
        {kinds.map(({ kind }) => (
          <li key={kind} className={styles.item}>
            <Link to={`/admin/${kind}`} className={styles.link}>
              <Work kind={kind} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Work({ kind }: { kind: OpenWorkKind }) {
  const { data, isError } = useQuery({ queryKey: ['admin', 'open-work', kind], queryFn: OPEN_WORK[kind] })
  return (
    <>
      <strong className={styles.count}>
        {data ? `${formatNumber(data.count)}${data.hasMore ? '+' : ''}` : isError ? '?' : '…'}
      </strong>
      <span>{message(`web.admin.work.${kind}`)}</span>
      <span className={styles.age}>
        {isError && message('web.admin.load-failed')}
        {data?.oldest && (
          <>
            {message('web.admin.work.oldest')} <TimeAgo time={data.oldest} />
          </>
        )}
      </span>
    </>
  )
}
