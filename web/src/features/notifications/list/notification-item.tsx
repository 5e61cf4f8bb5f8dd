import { Link } from '@tanstack/react-router'
import { memo, useId } from 'react'
import type { ReactNode } from 'react'
import { formatAge } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { PLACE, splitAtPlace } from '../../../lib/i18n/split-message.ts'
import { useEntity } from '../../../lib/store/use-entity.ts'
import { Avatar } from '../../../ui/accounts/avatar.tsx'
import { Icon } from '../../../ui/icons/icon.tsx'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { StatusCard } from '../../statuses/card/status-card.tsx'
import { findFiltering } from '../../statuses/content/filters.ts'
import { excerptOf } from '../../statuses/content/status-text.ts'
import { StatusExcerpt } from '../../statuses/content/status-excerpt.tsx'
import { statusStore } from '../../statuses/status-store.ts'
import { AccountNames, nameTextOf } from './account-names.tsx'
import { FollowRequestActions } from '../requests/follow-request-actions.tsx'
import { NotificationDetails } from './notification-details.tsx'
import type { LoadedGroup } from '../notification-groups.ts'
import { ICONS, isReplyToUser, sentenceOf } from './notification-sentence.ts'
import styles from './notification-item.module.css'

/** A group of notifications. `isNew`: it is newer than what the user has read. */
export const NotificationItem = memo(function NotificationItem({
  group,
  isNew,
  onDismiss,
}: {
  group: LoadedGroup
  isNew: boolean
  onDismiss: ((group: LoadedGroup) => void) | undefined
}) {
  const sentenceId = useId()
  const status = useEntity(statusStore, group.statusId ?? '')
  const { type, fallback, accounts } = group
  const isKnown = type in ICONS
  if (!isKnown && !fallback) return null
  const isOnOwnPost = type === 'favourite' || type === 'reblog'
  const showsCard = Boolean(status) && !isOnOwnPost
  // Without its post, the sentence would say nothing.
  if (status && showsCard && findFiltering(status, 'notifications')?.action === 'hide') return null
  // Only the server's text names types that this client does not know.
  const sentence = isKnown ? sentenceOf(group) : textOf(fallback!.title)
  const [before, after] = splitAtPlace(sentence)
  const head = (
    <div className={styles.head}>
      <p id={sentenceId} className={styles.sentence}>
        {isNew && <span className="unseen">{message('web.notifications.new')} </span>}
        {before}
        {sentence.includes(PLACE) && <AccountNames group={group} />}
        {after}
      </p>
      <span className={styles.meta}>
        {!showsCard && group.latestPageNotificationAt && <TimeAgo time={group.latestPageNotificationAt} />}
        {onDismiss && (
          <button
            type="button"
            className={styles.dismiss}
            aria-label={message('web.notifications.dismiss')}
            title={message('web.notifications.dismiss')}
            data-dismiss=""
            onClick={() => onDismiss(group)}
          >
            <Icon name="close" />
          </button>
        )}
      </span>
    </div>
  )
  const className = isNew ? `${styles.item} ${styles.new}` : styles.item
  if (showsCard)
    return (
      <div className={`${className} ${styles.withCard}`} data-type={type}>
        <div className={styles.reason}>
          <Icon name={ICONS[type]} />
          {head}
        </div>
        <StatusCard id={group.statusId!} showsReply={!isReplyToUser(group)} describedBy={sentenceId} />
      </div>
    )
  const { latestPageNotificationAt: time } = group
  const parts = [
    `${isNew ? `${message('web.notifications.new')} ` : ''}${sentence.replace(PLACE, nameTextOf(group))}`,
    status ? status.spoilerText || excerptOf(status.content ?? '') : '',
    time ? formatAge(new Date(time), new Date()) : '',
  ]
  return (
    <article className={className} tabIndex={0} aria-label={parts.filter(Boolean).join(', ')} data-type={type}>
      <span className={styles.icon}>
        <Icon name={isKnown ? ICONS[type] : 'bell'} filled={type === 'favourite'} />
      </span>
      <div className={styles.body}>
        {before + after !== sentence && <Faces accounts={accounts} />}
        {head}
        {status && <StatusExcerpt status={status} />}
        {type === 'follow_request' && accounts[0] && <FollowRequestActions account={accounts[0]} group={group} />}
        <NotificationDetails group={group} fallback={isKnown ? null : textOf(fallback!.summary)} />
      </div>
    </article>
  )
})

function Faces({ accounts }: { accounts: LoadedGroup['accounts'] }): ReactNode {
  return (
    <div className={styles.faces} aria-hidden="true">
      {accounts.map((account) => (
        <Link key={account.id} to="/@{$acct}" params={{ acct: account.acct }} tabIndex={-1}>
          <Avatar account={account} size="s" />
        </Link>
      ))}
    </div>
  )
}

function textOf(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent
}
