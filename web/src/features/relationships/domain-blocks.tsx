import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { toPage } from '../../lib/api/pages.ts'
import { api } from '../../lib/session.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { PagedList } from '../../ui/lists/paged-list.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import styles from './domain-blocks.module.css'

const domainBlocksQuery = infiniteQueryOptions({
  queryKey: ['domain-blocks'],
  queryFn: async ({ pageParam }) =>
    toPage<string>(await api().v1.domainBlocks.list.$raw(pageParam === '' ? {} : { maxId: pageParam })),
  initialPageParam: '',
  getNextPageParam: ({ maxId }) => maxId,
})

/** The domains that the user blocks. An unblocked one stays until the page is left, so that it can be undone. */
export function DomainBlocks() {
  const result = useInfiniteQuery(domainBlocksQuery)
  return (
    <PagedList
      result={result}
      label={message('web.accounts.domain-blocks')}
      empty={<Notice icon="globe" title={message('web.accounts.domain-blocks-empty')} />}
      skeleton={
        <p className={styles.loading} role="status">
          {message('web.loading')}
        </p>
      }
      keyOf={(domain) => domain}
      renderItem={(domain) => <DomainRow domain={domain} />}
    />
  )
}

function DomainRow({ domain }: { domain: string }) {
  const [isBlocked, setIsBlocked] = useState(true)
  const label = message(isBlocked ? 'web.relationship.unblock' : 'web.relationship.block')

  const change = async (next: boolean) => {
    setIsBlocked(next)
    try {
      const { domainBlocks } = api().v1
      await (next ? domainBlocks.create({ domain }) : domainBlocks.remove({ domain }))
    } catch {
      setIsBlocked(!next)
      showToast({
        kind: 'alert',
        text: message(next ? 'web.relationship.block-domain-failed' : 'web.relationship.unblock-domain-failed'),
        action: { label: message('web.retry'), run: () => void change(next) },
      })
    }
  }

  return (
    <div className={styles.row}>
      <strong>
        <bdi>{domain}</bdi>
      </strong>
      <button
        type="button"
        className={`button button-small ${isBlocked ? 'button-line' : ''}`}
        aria-label={`${label} ${domain}`}
        onClick={() => void change(!isBlocked)}
      >
        {label}
      </button>
    </div>
  )
}
