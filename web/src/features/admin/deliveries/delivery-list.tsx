import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminDeliveryHost } from '../../../lib/api/admin-entities.ts'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { AdminList } from '../shared/list/admin-list.tsx'
import { focusNeighbour } from '../shared/list/focus-neighbour.ts'
import { runOrReport, showDecision } from '../shared/decisions/undo.ts'
import admin from '../shared/admin.module.css'
import styles from '../shared/list/row.module.css'

const PAGE_SIZE = 40

/** A server with deliveries. The domain is its id. */
type Host = AdminDeliveryHost & { id: string }

const hostsQuery = infiniteQueryOptions({
  queryKey: ['admin', 'deliveries'],
  queryFn: async ({ pageParam }) => {
    const hosts = (await adminApi('deliveries').fetch({ limit: PAGE_SIZE, offset: pageParam })) as AdminDeliveryHost[]
    return hosts.map((host): Host => ({ ...host, id: host.domain }))
  },
  initialPageParam: 0,
  getNextPageParam: (hosts: Host[], _pages, offset) => (hosts.length < PAGE_SIZE ? undefined : offset + PAGE_SIZE),
})

/** The servers with deliveries; those in trouble come first. */
export function DeliveryList() {
  const query = useInfiniteQuery(hostsQuery)
  return (
    <AdminList query={query} empty={message('web.admin.deliveries.empty')}>
      {(host) => <HostRow host={host} />}
    </AdminList>
  )
}

function HostRow({ host }: { host: Host }) {
  const [isDropping, setIsDropping] = useState(false)
  const article = useRef<HTMLElement>(null)
  const queryClient = useQueryClient()
  const { domain } = host
  const refresh = async () => queryClient.invalidateQueries({ queryKey: ['admin'] })
  const retry = () =>
    void runOrReport(async () => {
      await adminApi('deliveries', domain, 'retry').create()
      showDecision({ text: message('web.admin.deliveries.retried', { domain }), undo: null })
      await refresh()
    })
  const drop = () =>
    void runOrReport(async () => {
      await adminApi('deliveries', domain).remove()
      setIsDropping(false)
      focusNeighbour(article.current)
      showDecision({ text: message('web.admin.deliveries.dropped', { domain }), undo: null })
      await refresh()
    })
  const counts = (['pending', 'delivered', 'rejected', 'abandoned'] as const).map((name) =>
    message(`web.admin.deliveries.${name}`, { count: formatNumber(host[name]) }),
  )
  return (
    <article ref={article} className={styles.row} tabIndex={0} aria-label={domain}>
      <div className={styles.body}>
        <strong>
          <bdi>{domain}</bdi>
        </strong>
        {host.unavailableSince !== null && (
          <p className={styles.trouble}>
            {message('web.admin.deliveries.unavailable')} <TimeAgo time={host.unavailableSince} />
          </p>
        )}
        <p>{counts.join(' · ')}</p>
        {host.lastError !== null && (
          <p className={admin.soft} dir="auto">
            {host.lastError}
          </p>
        )}
      </div>
      <p className={admin.actions}>
        <button
          type="button"
          className="button button-line button-small"
          aria-label={`${message('web.retry')}: ${domain}`}
          onClick={retry}
        >
          {message('web.retry')}
        </button>
        <button
          type="button"
          className="button button-line button-small"
          aria-label={message('web.admin.delete-name', { name: domain })}
          onClick={() => setIsDropping(true)}
        >
          {message('web.admin.delete')}
        </button>
      </p>
      {isDropping && (
        <AdminDialog
          title={message('web.admin.deliveries.drop', { domain })}
          confirm={message('web.admin.delete')}
          dangerous
          onConfirm={drop}
          onClose={() => setIsDropping(false)}
        >
          <p>{message('web.admin.impact.final')}</p>
        </AdminDialog>
      )}
    </article>
  )
}
