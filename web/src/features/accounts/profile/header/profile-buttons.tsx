import { Link } from '@tanstack/react-router'
import { message } from '../../../../lib/i18n/messages.ts'
import type { Account } from '../../../../lib/api/entities.ts'
import { Icon } from '../../../../ui/icons/icon.tsx'
import { changeRelationship } from '../../../relationships/change-relationship.ts'
import { useRelationship } from '../../../relationships/relationships.ts'
import styles from './profile-buttons.module.css'

/** The button of the own profile. */
export function EditProfileLink() {
  return (
    <Link to="/settings/client/profile" className="button button-line">
      <Icon name="write" />
      {message('web.profile.edit')}
    </Link>
  )
}

/** The button for notifications about new posts, which only followers of an account have. */
export function NotifyButton({ account }: { account: Account }) {
  const relationship = useRelationship(account.id)
  if (!relationship?.following) return null
  const label = message('web.profile.notify', { name: `@${account.acct}` })
  const { notifying } = relationship
  return (
    <button
      type="button"
      className={`button button-line ${styles.square}`}
      aria-pressed={notifying}
      aria-label={label}
      title={label}
      onClick={() =>
        void changeRelationship(account.id, { type: 'follow', locked: account.locked, notify: !notifying })
      }
    >
      <Icon name="bell" filled={notifying} />
    </button>
  )
}
