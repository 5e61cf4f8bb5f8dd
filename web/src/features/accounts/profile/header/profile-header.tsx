import { useState } from 'react'
import { message } from '../../../../lib/i18n/messages.ts'
import type { Account } from '../../../../lib/api/entities.ts'
import { startData } from '../../../../lib/start-data.ts'
import { currentAccountId } from '../../../../lib/session.ts'
import { Avatar } from '../../../../ui/accounts/avatar.tsx'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { DisplayName } from '../../../../ui/accounts/display-name.tsx'
import { Icon } from '../../../../ui/icons/icon.tsx'
import { FollowButton } from '../../../relationships/follow-button.tsx'
import { useRelationship } from '../../../relationships/relationships.ts'
import { copyText } from './copy-text.ts'
import { ProfileMenu } from './profile-menu.tsx'
import { EditProfileLink, NotifyButton } from './profile-buttons.tsx'
import styles from './profile-header.module.css'

/** The pictures and names of an account, with the buttons that change the relationship to it. */
export function ProfileHeader({ account, isHidden = false }: { account: Account; isHidden?: boolean }) {
  const isOwn = account.id === currentAccountId()
  const hasHeader = !isHidden && !account.header.endsWith('/missing.png')
  return (
    <div>
      <div className={hasHeader ? styles.header : `${styles.header} ${styles.plain}`}>
        {hasHeader && <img src={account.headerStatic} alt={account.headerDescription} decoding="async" />}
      </div>
      <div className={styles.top}>
        <div className={styles.avatar}>
          {isHidden ? <span className={styles.covered} /> : <AvatarButton account={account} />}
        </div>
        <div className={styles.buttons}>
          {isOwn ? <EditProfileLink /> : <FollowButton account={account} isLarge />}
          {!isOwn && <NotifyButton account={account} />}
          <ProfileMenu account={account} />
        </div>
      </div>
      <div className={styles.names}>
        <p className={styles.name}>
          <DisplayName account={account} />
        </p>
        <Handle account={account} />
        <Badges account={account} />
      </div>
    </div>
  )
}

/** The avatar, which opens in its full size. */
function AvatarButton({ account }: { account: Account }) {
  const [isOpen, setIsOpen] = useState(false)
  const name = account.displayName || account.username
  const label = message('web.profile.avatar', { name })
  return (
    <>
      <button type="button" className={styles.open} aria-label={label} onClick={() => setIsOpen(true)}>
        <Avatar account={account} size="xl" />
      </button>
      {isOpen && (
        <Dialog title={label} wide onClose={() => setIsOpen(false)}>
          <img className={styles.large} src={account.avatar} alt={account.avatarDescription || label} />
          {account.avatarDescription && <p className={styles.description}>{account.avatarDescription}</p>}
        </Dialog>
      )}
    </>
  )
}

/** The complete handle, also of local accounts, and a button that copies it. */
function Handle({ account: { acct } }: { account: Account }) {
  const handle = `@${acct.includes('@') ? acct : `${acct}@${startData.domain}`}`
  return (
    <p className={styles.handle}>
      <bdi>{handle}</bdi>
      <button
        type="button"
        className={styles.copy}
        aria-label={message('web.profile.copy-handle')}
        title={message('web.profile.copy-handle')}
        onClick={() => void copyText(handle)}
      >
        <Icon name="copy" />
      </button>
    </p>
  )
}

function Badges({ account }: { account: Account }) {
  const { roles = [], bot, group, locked } = account
  const relationship = useRelationship(account.id)
  const badges = [
    ...roles.map(({ id, name }) => ({ key: id, icon: 'shield' as const, text: name })),
    ...(bot ? [{ key: 'bot', icon: 'settings' as const, text: message('web.profile.bot') }] : []),
    ...(group ? [{ key: 'group', icon: 'people' as const, text: message('web.profile.group') }] : []),
    ...(locked ? [{ key: 'locked', icon: 'lock' as const, text: message('web.profile.locked') }] : []),
    ...(relationship?.followedBy
      ? [{ key: 'follows', icon: 'check' as const, text: message('web.relationship.follows-you') }]
      : []),
    ...(relationship?.muting ? [{ key: 'muted', icon: 'mute' as const, text: message('web.relationship.muted') }] : []),
  ]
  if (badges.length === 0) return null
  return (
    <ul className={styles.badges}>
      {badges.map(({ key, icon, text }) => (
        <li key={key} className={styles.badge}>
          <Icon name={icon} />
          {text}
        </li>
      ))}
    </ul>
  )
}
