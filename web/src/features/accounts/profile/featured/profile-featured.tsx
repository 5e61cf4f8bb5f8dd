import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../../../lib/i18n/formats.ts'
import { message } from '../../../../lib/i18n/messages.ts'
import type { Account } from '../../../../lib/api/entities.ts'
import { Notice } from '../../../../ui/notices/notice.tsx'
import { LoadingFailed } from '../../../../ui/lists/paged-list.tsx'
import { FollowButton } from '../../../relationships/follow-button.tsx'
import { AccountRow } from '../../lists/account-row.tsx'
import { AccountSkeletons } from '../../lists/account-skeletons.tsx'
import { endorsedQuery } from '../../lists/account-queries.ts'
import { collectionsQuery } from '../../../collections/collection-queries.ts'
import { CollectionRow } from '../../../collections/lists/collection-row.tsx'
import { featuredTagsQuery } from './featured-queries.ts'
import styles from './profile-featured.module.css'

/** What an account recommends: hashtags, collections and other accounts. */
export function ProfileFeatured({ account }: { account: Account }) {
  const tags = useQuery(featuredTagsQuery(account.id))
  const collections = useQuery(collectionsQuery(account.id))
  const endorsed = useInfiniteQuery(endorsedQuery(account.id))
  const results = [tags, collections, endorsed]
  if (results.some(({ isPending }) => isPending)) return <AccountSkeletons count={4} />
  if (results.every(({ isError }) => isError))
    return <LoadingFailed retry={() => results.forEach(({ refetch }) => void refetch())} />
  const accounts = endorsed.data?.pages.flatMap(({ items }) => items) ?? []
  if (!tags.data?.length && !collections.data?.length && accounts.length === 0)
    return <Notice icon="favourite" title={message('web.profile.featured-empty')} />
  return (
    <>
      {tags.data && tags.data.length > 0 && (
        <section className={styles.section}>
          <h2 className={styles.title}>{message('web.profile.featured-tags')}</h2>
          <ul>
            {tags.data.map(({ id, name, statusesCount }) => (
              <li key={id}>
                <Link to="/@{$acct}/tagged/$tag" params={{ acct: account.acct, tag: name }} className={styles.row}>
                  <strong>#{name}</strong>
                  <span className={styles.detail}>
                    {message('web.profile.posts-count', {
                      count: formatNumber(Number(statusesCount)),
                      number: Number(statusesCount),
                    })}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {collections.data && collections.data.length > 0 && (
        <section className={styles.section}>
          <h2 className={styles.title}>{message('web.profile.collections')}</h2>
          <ul>
            {collections.data.map((collection) => (
              <li key={collection.id}>
                <CollectionRow collection={collection} curator={account} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {accounts.length > 0 && (
        <section className={styles.section}>
          <h2 className={styles.title}>{message('web.profile.featured-accounts')}</h2>
          <ul>
            {accounts.map((one) => (
              <li key={one.id}>
                <AccountRow account={one}>
                  <FollowButton account={one} />
                </AccountRow>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
