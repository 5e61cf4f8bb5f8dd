import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { message } from '../../../../lib/i18n/messages.ts'
import type { Account } from '../../../../lib/api/entities.ts'
import { Notice } from '../../../../ui/notices/notice.tsx'
import { StatusCard } from '../../../statuses/card/status-card.tsx'
import { FilteringContext } from '../../../statuses/content/filters.ts'
import { Timeline } from '../../../timelines/timeline.tsx'
import { pinnedQuery } from '../../lists/account-queries.ts'
import { EmptyProfile } from './empty-profile.tsx'
import styles from './profile-posts.module.css'

/** The id of the heading of the pinned posts, which is also the fragment of their URL. */
const PINNED_POSTS = 'pinned-posts'

/** Whether boosts are shown in profiles, for as long as the window is open. */
let showsBoosts = true

/** The posts of an account, with its pinned ones above. `withReplies`: also its replies. */
export function ProfilePosts({ account, withReplies }: { account: Account; withReplies: boolean }) {
  const [boosts, setBoosts] = useState(showsBoosts)
  const navigate = useNavigate()
  const params = { acct: account.acct }
  return (
    <>
      <div className={styles.filters} role="group" aria-label={message('web.profile.filters')}>
        <FilterButton
          label={message('web.profile.replies')}
          isOn={withReplies}
          onToggle={() =>
            void navigate({ to: withReplies ? '/@{$acct}' : '/@{$acct}/with_replies', params, replace: true })
          }
        />
        <FilterButton
          label={message('web.profile.boosts')}
          isOn={boosts}
          onToggle={() => setBoosts((showsBoosts = !boosts))}
        />
      </div>
      {!withReplies && <PinnedPosts accountId={account.id} />}
      <Timeline
        name={{ type: 'account', id: account.id, replies: withReplies, boosts }}
        label={message('web.profile.tab-posts')}
        empty={<EmptyProfile account={account} />}
      />
    </>
  )
}

function FilterButton({ label, isOn, onToggle }: { label: string; isOn: boolean; onToggle: () => void }) {
  return (
    <button type="button" role="switch" aria-checked={isOn} className={styles.filter} onClick={onToggle}>
      <span className={styles.track} />
      {label}
    </button>
  )
}

function PinnedPosts({ accountId }: { accountId: string }) {
  const { data: ids = [] } = useQuery(pinnedQuery(accountId))
  const heading = useRef<HTMLHeadingElement>(null)
  const isTarget = useRouterState({ select: ({ location }) => location.hash === PINNED_POSTS })
  const isEmpty = ids.length === 0
  // The posts are loaded after the page, whose heading has the focus until then.
  useEffect(() => {
    if (isTarget && !isEmpty) heading.current?.focus()
  }, [isTarget, isEmpty])
  if (isEmpty) return null
  return (
    <section aria-labelledby={PINNED_POSTS}>
      <h2 ref={heading} id={PINNED_POSTS} tabIndex={-1} className={styles.pinned}>
        {message('web.profile.pinned', { count: ids.length })}
      </h2>
      <FilteringContext value="account">
        {ids.map((id) => (
          <StatusCard key={id} id={id} />
        ))}
      </FilteringContext>
    </section>
  )
}

/** The posts of an account with a hashtag. */
export function TaggedPosts({ account, tag }: { account: Account; tag: string }) {
  const label = message('web.profile.tagged', { tag: `#${tag}` })
  return (
    <>
      <h2 className={styles.tagged}>{label}</h2>
      <Timeline
        name={{ type: 'account-tag', id: account.id, tag }}
        label={label}
        empty={<Notice icon="tag" title={message('web.timeline.empty')} />}
      />
    </>
  )
}
