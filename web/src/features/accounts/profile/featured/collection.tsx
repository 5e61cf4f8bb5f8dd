import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { message } from '../../../../lib/i18n/messages.ts'
import { formatNumber } from '../../../../lib/i18n/formats.ts'
import { renderHtml } from '../../../../lib/html/render-html.tsx'
import type { CollectionWithAccounts } from '../../../../lib/api/entities.ts'
import { Avatar } from '../../../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../../../ui/accounts/display-name.tsx'
import { Notice } from '../../../../ui/notices/notice.tsx'
import { LoadingFailed } from '../../../../ui/lists/paged-list.tsx'
import { FollowButton } from '../../../relationships/follow-button.tsx'
import { AccountRow } from '../../lists/account-row.tsx'
import { AccountSkeletons } from '../../lists/account-skeletons.tsx'
import { collectionQuery } from './featured-queries.ts'
import { renderProfileLink } from '../profile-link.tsx'
import styles from './collection.module.css'

/** A collection: its owner, what it says about itself, and the accounts that it recommends. */
export function CollectionView({ id }: { id: string }) {
  const { data, isError, error, refetch } = useQuery(collectionQuery(id))
  if (!data) return isError ? <LoadingFailed error={error} retry={() => void refetch()} /> : <AccountSkeletons />
  const { collection, accounts } = data
  const members = accounts.filter(({ id: one }) => collection.items.some(({ accountId }) => accountId === one))
  return (
    <>
      <CollectionHead data={data} />
      {members.length === 0 ? (
        <Notice icon="people" title={message('web.collection.empty')} />
      ) : (
        <ul aria-label={collection.name}>
          {members.map((account) => (
            <li key={account.id}>
              <AccountRow account={account} withBiography>
                <FollowButton account={account} />
              </AccountRow>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function CollectionHead({ data: { collection, accounts } }: { data: CollectionWithAccounts }) {
  const { description, local, itemCount, accountId, tag, language } = collection
  const owner = accounts.find(({ id }) => id === accountId)
  const text = useMemo(
    () => (local ? description : renderHtml(description ?? '', { emojis: [], renderLink: renderProfileLink })),
    [local, description],
  )
  return (
    <div className={styles.head}>
      {description && (
        <div dir="auto" lang={language ?? undefined}>
          {text}
        </div>
      )}
      <p className={styles.line}>
        {owner && (
          <Link to="/@{$acct}" params={{ acct: owner.acct }} className={styles.owner}>
            <Avatar account={owner} size="s" />
            <DisplayName account={owner} />
          </Link>
        )}
        <span>{message('web.collection.count', { count: formatNumber(itemCount), number: itemCount })}</span>
        {tag && (
          <Link to="/tags/$tag" params={{ tag: tag.name }}>
            #{tag.name}
          </Link>
        )}
      </p>
    </div>
  )
}
