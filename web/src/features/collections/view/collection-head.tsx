import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { formatDay, formatLanguage, formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { PLACE, splitAtPlace } from '../../../lib/i18n/split-message.ts'
import { renderHtml } from '../../../lib/html/render-html.tsx'
import { currentAccountId } from '../../../lib/session.ts'
import type { Account, Collection } from '../../../lib/api/entities.ts'
import { Avatar } from '../../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../../ui/accounts/display-name.tsx'
import { Icon } from '../../../ui/icons/icon.tsx'
import { renderProfileLink } from '../../accounts/profile/profile-link.tsx'
import { itemOf } from '../collection-queries.ts'
import { LeaveDialog } from '../dialogs/leave-dialog.tsx'
import styles from './collection-view.module.css'

/** What a collection says about itself. `isCovered`: without its description, which is sensitive. */
export function CollectionHead({
  collection,
  curator,
  isCovered,
}: {
  collection: Collection
  curator: Account | undefined
  isCovered: boolean
}) {
  const { description, local, itemCount, tag, language, discoverable, sensitive, updatedAt, accountId } = collection
  const isOwn = accountId === currentAccountId()
  const text = useMemo(
    () =>
      local ? <bdi>{description}</bdi> : renderHtml(description ?? '', { emojis: [], renderLink: renderProfileLink }),
    [local, description],
  )
  return (
    <>
      <div className={styles.head}>
        {description && !isCovered && (
          <div className={styles.description} dir="auto" lang={language ?? undefined}>
            {text}
          </div>
        )}
        {curator && <Curator account={curator} />}
        <ul className={styles.facts}>
          <li>{message('web.collection.count', { count: formatNumber(itemCount), number: itemCount })}</li>
          {tag && (
            <li>
              <Link to="/tags/$tag" params={{ tag: tag.name }}>
                <bdi>#{tag.name}</bdi>
              </Link>
            </li>
          )}
          {language && <li>{formatLanguage(language)}</li>}
          <li>{message('web.collections.updated', { day: formatDay(new Date(updatedAt)) })}</li>
          {!discoverable && isOwn && (
            <li className={styles.mark}>
              <Icon name="unlisted" />
              {message('web.collections.unlisted')}
            </li>
          )}
          {sensitive && (
            <li className={styles.mark}>
              <Icon name="warning" />
              {message('web.collection.sensitive')}
            </li>
          )}
        </ul>
      </div>
      {!isOwn && itemOf(collection, currentAccountId()) && <OwnMembership collection={collection} />}
    </>
  )
}

function Curator({ account }: { account: Account }) {
  const [before, after] = splitAtPlace(message('web.collections.by', { name: PLACE }))
  return (
    <p>
      <Link to="/@{$acct}" params={{ acct: account.acct }} className={styles.curator} data-card={account.acct}>
        <Avatar account={account} size="s" />
        <span>
          {before}
          <strong>
            <DisplayName account={account} />
          </strong>
          {after}
        </span>
      </Link>
    </p>
  )
}

/** Says that the user is in the collection, with a button to leave it. */
function OwnMembership({ collection }: { collection: Collection }) {
  const [isLeaving, setIsLeaving] = useState(false)
  return (
    <div className={styles.membership}>
      <p>{message('web.collections.with-you-notice')}</p>
      <button type="button" className="button button-line button-small" onClick={() => setIsLeaving(true)}>
        {message('web.collections.leave')}
      </button>
      {isLeaving && (
        <LeaveDialog
          collection={collection}
          onLeft={() => document.querySelector<HTMLElement>('main h1')?.focus()}
          onClose={() => setIsLeaving(false)}
        />
      )}
    </div>
  )
}
