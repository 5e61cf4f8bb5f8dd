import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { message } from '../../../../lib/i18n/messages.ts'
import type { Account } from '../../../../lib/api/entities.ts'
import { startData } from '../../../../lib/start-data.ts'
import { Icon } from '../../../../ui/icons/icon.tsx'
import type { IconName } from '../../../../ui/icons/icon.tsx'
import { announce } from '../../../../ui/notices/announcer.ts'
import { focusHeadingOnRemoval } from '../../../../ui/page/focus-on-removal.ts'
import { changeRelationship } from '../../../relationships/change-relationship.ts'
import { useRelationship } from '../../../relationships/relationships.ts'
import { AccountRow } from '../../lists/account-row.tsx'
import { domainOf } from '../../account-domain.ts'
import styles from './profile-notices.module.css'

/** What the user has to know about an account before reading it. */
export function ProfileNotices({ account }: { account: Account }) {
  return (
    <>
      {account.moved && (
        <Banner icon="forward">
          <p>{message('web.profile.moved', { name: nameOf(account) })}</p>
          <AccountRow account={account.moved}>
            <Link to="/@{$acct}" params={{ acct: account.moved.acct }} className="button button-small">
              {message('web.profile.go-to')}
            </Link>
          </AccountRow>
        </Banner>
      )}
      {account.memorial && <Banner icon="favourite">{message('web.profile.memorial')}</Banner>}
    </>
  )
}

/** What an account and the user have between them, apart from follows. It comes later than the account. */
export function RelationshipNotices({ account }: { account: Account }) {
  const relationship = useRelationship(account.id)
  const domain = domainOf(account)
  return (
    <>
      {relationship?.blockedBy && <Banner icon="block">{message('web.profile.blocked-by')}</Banner>}
      {relationship?.domainBlocking && domain !== null && (
        <Banner icon="globe">{message('web.profile.domain-blocked', { domain })}</Banner>
      )}
      {relationship?.requestedBy && <FollowRequest account={account} />}
    </>
  )
}

/** The request of an account to follow the user, with the two possible answers. */
function FollowRequest({ account }: { account: Account }) {
  const answer = (type: 'accept' | 'reject') => {
    announce(message(`web.request.${type}ed`, { name: `@${account.acct}` }))
    void changeRelationship(account.id, { type })
  }
  return (
    <Banner icon="follow">
      <p>{message('web.profile.requested-by', { name: nameOf(account) })}</p>
      <p className={styles.actions}>
        <button type="button" className="button button-small" onClick={() => answer('accept')}>
          {message('web.request.accept')}
        </button>
        <button type="button" className="button button-line button-small" onClick={() => answer('reject')}>
          {message('web.request.reject')}
        </button>
      </p>
    </Banner>
  )
}

const nameOf = ({ displayName, username }: Account) => displayName || username

function Banner({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    // The answer to a request removes it.
    <div ref={focusHeadingOnRemoval} className={styles.banner}>
      <Icon name={icon} />
      <div className={styles.content}>{children}</div>
    </div>
  )
}

/** In place of a profile that the moderators have limited. */
export function LimitedNotice({ onShow }: { onShow: () => void }) {
  return (
    <div ref={focusHeadingOnRemoval} className={styles.limited}>
      <p>{message('web.profile.limited', { domain: startData.domain })}</p>
      <button type="button" className="button button-line" onClick={onShow}>
        {message('web.profile.show')}
      </button>
    </div>
  )
}
