import { Link } from '@tanstack/react-router'
import { message } from '../../../../lib/i18n/messages.ts'
import { formatCount, formatDay, formatNumber } from '../../../../lib/i18n/formats.ts'
import type { Account } from '../../../../lib/api/entities.ts'
import { currentAccountId } from '../../../../lib/session.ts'
import { Icon } from '../../../../ui/icons/icon.tsx'
import { Biography } from './biography.tsx'
import { FamiliarFollowers } from './familiar-followers.tsx'
import { PrivateNote } from './private-note.tsx'
import styles from './profile-about.module.css'

/** What an account says about itself, what the user has noted about it, and its numbers. */
export function ProfileAbout({ account }: { account: Account }) {
  const isOwn = account.id === currentAccountId()
  return (
    <div className={styles.about}>
      {account.note !== '' && <Biography html={account.note} emojis={account.emojis} />}
      <Counts account={account} />
      {!isOwn && <FamiliarFollowers accountId={account.id} acct={account.acct} />}
      <Fields account={account} />
      {!isOwn && <PrivateNote accountId={account.id} />}
      <p className={styles.joined}>
        <Icon name="clock" />
        <span>{message('web.profile.joined', { date: formatDay(new Date(account.createdAt)) })}</span>
      </p>
    </div>
  )
}

function Fields({ account: { fields, emojis } }: { account: Account }) {
  if (fields.length === 0) return null
  return (
    <dl className={styles.fields}>
      {fields.map(({ name, value, verifiedAt }) => (
        <div key={`${name} ${value}`} className={verifiedAt ? `${styles.field} ${styles.verified}` : styles.field}>
          <dt>
            <Biography html={escapeHtml(name)} emojis={emojis} />
          </dt>
          <dd>
            {verifiedAt && (
              <span
                className={styles.mark}
                title={message('web.profile.verified', { date: formatDay(new Date(verifiedAt)) })}
              >
                <Icon name="check" />
                <span className="unseen">
                  {message('web.profile.verified', { date: formatDay(new Date(verifiedAt)) })}
                </span>
              </span>
            )}
            <Biography html={value} emojis={emojis} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The names of fields are plain text. */
function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function Counts({ account: { acct, statusesCount, followersCount, followingCount } }: { account: Account }) {
  const params = { acct }
  return (
    <ul className={styles.counts}>
      <li>
        <Link to="/@{$acct}" params={params} title={formatNumber(statusesCount)}>
          {message('web.profile.posts-count', { count: formatCount(statusesCount), number: statusesCount })}
        </Link>
      </li>
      <li>
        <Link to="/@{$acct}/following" params={params} title={formatNumber(followingCount)}>
          {message('web.profile.following-count', { count: formatCount(followingCount), number: followingCount })}
        </Link>
      </li>
      <li>
        <Link to="/@{$acct}/followers" params={params} title={formatNumber(followersCount)}>
          {message('web.profile.followers-count', { count: formatCount(followersCount), number: followersCount })}
        </Link>
      </li>
    </ul>
  )
}
