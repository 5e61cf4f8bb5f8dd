import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { isMissing } from '../../../lib/api/is-missing.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { currentAccountId } from '../../../lib/session.ts'
import { useClientSettings } from '../../../lib/settings.ts'
import type { Account, CollectionWithAccounts } from '../../../lib/api/entities.ts'
import { LoadingFailed } from '../../../ui/lists/paged-list.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { AccountSkeletons } from '../../accounts/lists/account-skeletons.tsx'
import { collectionQuery } from '../collection-queries.ts'
import { CollectionHead } from './collection-head.tsx'
import { CollectionMember } from './collection-member.tsx'
import styles from './collection-view.module.css'

/** Sensitive collections that the user has nevertheless opened in this window. */
const shownCollections = new Set<string>()

/** A collection: its owner, what it says about itself, and the accounts that it recommends. */
export function CollectionView({ id }: { id: string }) {
  const { data, isError, error, refetch } = useQuery(collectionQuery(id))
  // A collection that is gone since must not seem to be there.
  if (data && !isMissing(error)) return <LoadedCollection data={data} />
  return isError ? <LoadingFailed error={error} retry={() => void refetch()} /> : <AccountSkeletons />
}

function LoadedCollection({ data }: { data: CollectionWithAccounts }) {
  const { collection, accounts } = data
  const { expandWarnings } = useClientSettings()
  const [isShown, setIsShown] = useState(() => shownCollections.has(collection.id))
  const isOwn = collection.accountId === currentAccountId()
  const isCovered = collection.sensitive && !isOwn && !isShown && !expandWarnings
  const curator = accounts.find(({ id }) => id === collection.accountId)
  return (
    <>
      <CollectionHead collection={collection} curator={curator} isCovered={isCovered} />
      {isCovered ? (
        <Notice icon="warning" title={message('web.collections.warning')}>
          <p>{message('web.collections.warning-text', { name: curator?.displayName || curator?.username || '' })}</p>
          <button
            type="button"
            className="button button-line"
            onClick={() => {
              shownCollections.add(collection.id)
              setIsShown(true)
              // The button disappears.
              document.querySelector<HTMLElement>('main h1')?.focus()
            }}
          >
            {message('web.collections.show')}
          </button>
        </Notice>
      ) : (
        <Members data={data} isOwn={isOwn} />
      )}
    </>
  )
}

function Members({ data: { collection, accounts }, isOwn }: { data: CollectionWithAccounts; isOwn: boolean }) {
  const byId = new Map(accounts.map((account): [string, Account] => [account.id, account]))
  const members = collection.items.flatMap((item) => {
    const account = item.accountId === undefined ? undefined : byId.get(item.accountId)
    return account ? [{ item, account }] : []
  })
  const endedCount = collection.items.filter(({ state }) => state === 'rejected' || state === 'revoked').length
  const unseenCount = collection.itemCount - members.length
  return (
    <>
      {members.length === 0 ? (
        <Notice icon="people" title={message('web.collection.empty')}>
          {isOwn && <p>{message('web.collections.empty-own')}</p>}
        </Notice>
      ) : (
        <ul aria-label={collection.name}>
          {members.map(({ item, account }) => (
            <li key={item.id}>
              <CollectionMember collection={collection} account={account} item={item} isOwn={isOwn} />
            </li>
          ))}
        </ul>
      )}
      {unseenCount > 0 && (
        <p className={styles.end}>
          {message('web.collections.unseen', { number: unseenCount, count: formatNumber(unseenCount) })}
        </p>
      )}
      {endedCount > 0 && (
        <p className={styles.end}>
          {message('web.collections.ended', { number: endedCount, count: formatNumber(endedCount) })}
        </p>
      )}
    </>
  )
}
