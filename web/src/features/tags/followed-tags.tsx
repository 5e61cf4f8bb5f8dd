import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../lib/i18n/formats.ts'
import { message } from '../../lib/i18n/messages.ts'
import type { Tag } from '../../lib/api/entities.ts'
import { AccountSkeletons } from '../accounts/lists/account-skeletons.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { PagedList } from '../../ui/lists/paged-list.tsx'
import { TagFollowButton } from './tag-follow-button.tsx'
import { followedTagsQuery } from './tag-queries.ts'
import { recentUsageOf } from './usage.ts'
import { UsageChart } from './usage-chart.tsx'
import styles from './followed-tags.module.css'

/** The hashtags that the user follows. One that is unfollowed stays until the page is left, so that it can be undone. */
export function FollowedTags() {
  const result = useInfiniteQuery(followedTagsQuery)
  return (
    <PagedList
      result={result}
      label={message('web.tag.followed')}
      empty={
        <Notice icon="tag" title={message('web.tag.followed-empty')}>
          <p>{message('web.tag.followed-hint')}</p>
        </Notice>
      }
      skeleton={<AccountSkeletons count={4} />}
      keyOf={({ name }) => name.toLowerCase()}
      renderItem={(tag) => <TagRow tag={tag} />}
    />
  )
}

function TagRow({ tag }: { tag: Tag }) {
  const { people } = recentUsageOf(tag.history)
  return (
    <div className={styles.row}>
      <Link to="/tags/$tag" params={{ tag: tag.name }} className={styles.link}>
        <strong>#{tag.name}</strong>
        <span className={styles.detail}>
          {message('web.tag.people-recently', { count: formatNumber(people), number: people })}
        </span>
      </Link>
      <UsageChart history={tag.history} />
      <TagFollowButton tag={tag} isSmall />
    </div>
  )
}
