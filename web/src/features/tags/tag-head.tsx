import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { formatNumber } from '../../lib/i18n/formats.ts'
import { message } from '../../lib/i18n/messages.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { MenuButton } from '../../ui/menus/menu.tsx'
import { TagFollowButton } from './tag-follow-button.tsx'
import { tagQuery, useTagAction } from './tag-queries.ts'
import { recentUsageOf } from './usage.ts'
import { UsageChart } from './usage-chart.tsx'
import styles from './tag-head.module.css'

/** How much a hashtag was used in the last days, and buttons that follow and feature it. */
export function TagHead({ tag: name }: { tag: string }) {
  const { data: tag } = useQuery(tagQuery(name))
  const actOnTag = useTagAction()
  const navigate = useNavigate()
  if (!tag) return <div className={styles.head} aria-hidden="true" />
  const { posts, people } = recentUsageOf(tag.history)
  const { featuring = false } = tag
  return (
    <div className={styles.head}>
      <div className={styles.usage}>
        <p>
          {message('web.tag.usage', {
            posts: message('web.tag.posts', { count: formatNumber(posts), number: posts }),
            people: message('web.tag.people', { count: formatNumber(people), number: people }),
          })}
        </p>
        <UsageChart history={tag.history} />
      </div>
      <div className={styles.buttons}>
        <TagFollowButton tag={tag} />
        <MenuButton
          label={message('web.tag.menu', { tag: `#${tag.name}` })}
          className={`button button-line ${styles.menu}`}
          items={[
            {
              label: message('web.tag.feature'),
              icon: 'favourite',
              isChecked: featuring,
              run: () => void actOnTag(tag, featuring ? 'unfeature' : 'feature'),
            },
            {
              label: message('web.tag.filter'),
              icon: 'hidden',
              run: () => void navigate({ to: '/filters/new', search: { keyword: `#${tag.name}` } }),
            },
            {
              label: message('web.profile.rss'),
              icon: 'external',
              run: () => window.open(`/tags/${encodeURIComponent(tag.name)}.rss`, '_blank', 'noopener'),
            },
          ]}
        >
          <Icon name="more" />
        </MenuButton>
      </div>
    </div>
  )
}
