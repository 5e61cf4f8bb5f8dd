import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { currentAccountId } from '../../../lib/session.ts'
import { LoadingFailed } from '../../../ui/lists/paged-list.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { AccountSkeletons } from '../../accounts/lists/account-skeletons.tsx'
import { ownAccountQuery } from '../../accounts/own/own-account.ts'
import { collectionsQuery, featuringCollectionsQuery } from '../collection-queries.ts'
import { useCollectionLimit } from '../use-collection-limit.ts'
import { CollectionRow } from './collection-row.tsx'
import styles from './collection-overview.module.css'

/** The collections of the user, and those of others that contain the user. */
export function CollectionOverview() {
  return (
    <>
      <OwnCollections />
      <FeaturingCollections />
    </>
  )
}

function OwnCollections() {
  const { data, isError, refetch } = useQuery({ ...collectionsQuery(currentAccountId()), refetchOnMount: 'always' })
  const { data: account } = useQuery(ownAccountQuery)
  const { count, limit, isReached } = useCollectionLimit()
  const { list, focusEntry } = useFocusOfList()
  const isCounted = count !== undefined && count > 0 && limit !== undefined
  return (
    <Section
      title={message('web.collections.own')}
      note={
        isCounted && message('web.collections.own-count', { count: formatNumber(count), limit: formatNumber(limit) })
      }
    >
      {!data ? (
        isError ? (
          <LoadingFailed retry={() => void refetch()} />
        ) : (
          <AccountSkeletons count={2} />
        )
      ) : data.length === 0 ? (
        <Notice icon="collection" title={message('web.collections.empty')}>
          <p>{message('web.collections.empty-hint')}</p>
        </Notice>
      ) : (
        <>
          {isReached && limit !== undefined && (
            <p className={styles.limit}>{message('web.collections.limit', { limit: formatNumber(limit) })}</p>
          )}
          <ul ref={list} aria-label={message('web.collections.own')}>
            {data.map((collection, index) => (
              <li key={collection.id}>
                <CollectionRow collection={collection} curator={account} onGone={() => focusEntry(index)} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}

function FeaturingCollections() {
  const { data, isError, refetch } = useQuery({ ...featuringCollectionsQuery, refetchOnMount: 'always' })
  const { list, focusEntry } = useFocusOfList()
  return (
    <Section title={message('web.collections.with-you')}>
      {!data ? (
        isError ? (
          <LoadingFailed retry={() => void refetch()} />
        ) : (
          <AccountSkeletons count={2} />
        )
      ) : data.length === 0 ? (
        <Notice icon="people" title={message('web.collections.with-you-empty')}>
          <p>{message('web.collections.with-you-hint')}</p>
        </Notice>
      ) : (
        <ul ref={list} aria-label={message('web.collections.with-you')}>
          {data.map(({ collection, curator }, index) => (
            <li key={collection.id}>
              <CollectionRow collection={collection} curator={curator} showsCurator onGone={() => focusEntry(index)} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Section({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <header className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        {note && <p className={styles.note}>{note}</p>}
      </header>
      {children}
    </section>
  )
}

/** Returns a function that moves the focus to the entry that takes the place of one that has gone. */
function useFocusOfList() {
  const list = useRef<HTMLUListElement>(null)
  const focusEntry = (index: number) => {
    const links = list.current?.querySelectorAll<HTMLElement>('li a') ?? []
    ;(links[index] ?? links[index - 1] ?? document.querySelector<HTMLElement>('main h1'))?.focus()
  }
  return { list, focusEntry }
}
