import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { Account } from '../../../lib/api/entities.ts'
import { formatCount } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { currentAccountId } from '../../../lib/session.ts'
import { Avatar } from '../../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../../ui/accounts/display-name.tsx'
import { placePopover } from '../../../ui/menus/place-popover.ts'
import { FollowButton } from '../../relationships/follow-button.tsx'
import { useRelationship } from '../../relationships/relationships.ts'
import { accountQuery } from '../lists/account-queries.ts'
import { Biography } from '../profile/about/biography.tsx'
import { FamiliarFollowers } from '../profile/about/familiar-followers.tsx'
import { useCardTarget } from './use-card-target.ts'
import styles from './account-hover-card.module.css'

/** A card about the account of the link on which the pointer or the focus of the keyboard is. */
export function AccountHoverCard() {
  const card = useRef<HTMLDivElement>(null)
  const [target, close] = useCardTarget(card)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(close, [path, close])
  const acct = target?.dataset['card'] ?? ''
  const { data: account } = useQuery({ ...accountQuery(acct), enabled: acct !== '' })
  usePopover(card, { target: account ? target : null, close })
  return (
    <div
      ref={card}
      className={styles.card}
      popover="manual"
      role="dialog"
      aria-label={message('web.profile.card', { name: `@${acct}` })}
    >
      {target && account && <Content key={account.id} account={account} />}
    </div>
  )
}

/** Shows the card beside its link, and closes it when the link is scrolled out of the window. */
function usePopover(
  card: RefObject<HTMLElement | null>,
  { target, close }: { target: HTMLElement | null; close: () => void },
): void {
  useLayoutEffect(() => {
    const { current } = card
    if (!target || !current) return
    // The source makes the card the next stop of the Tab key.
    current.showPopover({ source: target })
    const place = () => {
      const rect = target.getBoundingClientRect()
      const isVisible = target.isConnected && rect.bottom > 0 && rect.top < innerHeight
      if (isVisible) placePopover(current, rect)
      else close()
    }
    const observer = new ResizeObserver(place)
    observer.observe(current)
    window.addEventListener('scroll', place, { passive: true })
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', place)
      current.hidePopover()
    }
  }, [card, target, close])
}

function Content({ account }: { account: Account }) {
  const { id, acct, statusesCount, followersCount, followingCount } = account
  const params = { acct }
  return (
    <>
      <div className={styles.head}>
        <Avatar account={account} size="l" />
        <FollowButton account={account} />
      </div>
      <p className={styles.names}>
        <Link to="/@{$acct}" params={params} className={styles.name}>
          <DisplayName account={account} />
        </Link>
        <bdi className={styles.handle}>@{acct}</bdi>
        <FollowsYou accountId={id} />
      </p>
      {account.note !== '' && (
        <div className={styles.biography}>
          <Biography html={account.note} emojis={account.emojis} />
        </div>
      )}
      <ul className={styles.counts}>
        <li>{message('web.profile.posts-count', { count: formatCount(statusesCount), number: statusesCount })}</li>
        <li>
          <Link to="/@{$acct}/following" params={params}>
            {message('web.profile.following-count', { count: formatCount(followingCount), number: followingCount })}
          </Link>
        </li>
        <li>
          <Link to="/@{$acct}/followers" params={params}>
            {message('web.profile.followers-count', { count: formatCount(followersCount), number: followersCount })}
          </Link>
        </li>
      </ul>
      {id !== currentAccountId() && <FamiliarFollowers accountId={id} acct={acct} />}
    </>
  )
}

function FollowsYou({ accountId }: { accountId: string }) {
  const relationship = useRelationship(accountId)
  return relationship?.followedBy ? (
    <span className={styles.badge}>{message('web.relationship.follows-you')}</span>
  ) : null
}
