import { message } from '../../lib/i18n/messages.ts'
import type { MessageId } from '../../lib/i18n/messages.ts'
import { currentAccountId } from '../../lib/session.ts'
import { useQueued } from '../../lib/store/action-queue.ts'
import type { Account, Relationship } from '../../lib/api/entities.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { changeRelationship } from './change-relationship.ts'
import type { RelationshipAction } from './relationship-changes.ts'
import { useRelationship } from './relationships.ts'
import styles from './follow-button.module.css'

/**
 * The button that follows an account, withdraws a request, unfollows or unblocks. Its text is the relationship; what a
 * press does is its description.
 */
export function FollowButton({ account, isLarge = false }: { account: Account; isLarge?: boolean }) {
  const relationship = useRelationship(account.id)
  const isQueued = useQueued('follow', account.id) !== undefined
  if (account.id === currentAccountId()) return null
  const size = isLarge ? '' : 'button-small'
  if (!relationship) return <span className={`button button-line ${size} ${styles.waiting}`} aria-hidden="true" />
  if (relationship.domainBlocking || (relationship.blockedBy && !relationship.blocking)) return null
  const { text, description, action } = stateOf(relationship, account)
  const isOn = action.type === 'unfollow' || action.type === 'unblock'
  return (
    <button
      type="button"
      className={`button ${isOn ? 'button-line' : ''} ${size} ${styles.toggle}`}
      aria-label={`${message(text)} @${account.acct}`}
      title={isQueued ? message('web.queue.waiting') : description && message(description)}
      onClick={() => void changeRelationship(account.id, action)}
    >
      {message(text)}
      {isQueued && <Icon name="clock" />}
    </button>
  )
}

interface State {
  text: Extract<MessageId, `web.relationship.${string}`>
  description?: MessageId
  action: RelationshipAction
}

function stateOf({ blocking, requested, following, followedBy }: Relationship, { locked }: Account): State {
  if (blocking) return { text: 'web.relationship.unblock', action: { type: 'unblock' } }
  const unfollow = { type: 'unfollow' } as const
  if (requested)
    return { text: 'web.relationship.requested', description: 'web.relationship.withdraw', action: unfollow }
  if (following)
    return {
      text: followedBy ? 'web.relationship.mutual' : 'web.relationship.following',
      description: 'web.relationship.unfollow',
      action: unfollow,
    }
  const text = followedBy ? 'follow-back' : locked ? 'request' : 'follow'
  return { text: `web.relationship.${text}`, action: { type: 'follow', locked } }
}
