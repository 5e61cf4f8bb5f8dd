import { Link } from '@tanstack/react-router'
import { useContext, useState } from 'react'
import type { ReactNode } from 'react'
import { useEntity } from '../../../lib/store/use-entity.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Avatar } from '../../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../../ui/accounts/display-name.tsx'
import { Icon } from '../../../ui/icons/icon.tsx'
import { focusOnRemoval } from '../../../ui/page/focus-on-removal.ts'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { FilteringContext, findFiltering } from './filters.ts'
import { StatusBody } from './status-body.tsx'
import { statusStore } from '../status-store.ts'
import type { StoredStatus } from '../status-store.ts'
import styles from './quoted-status.module.css'

type Quote = NonNullable<StoredStatus['quote']>

/** The status that another one quotes, or why it cannot be shown. */
export function QuotedStatus({ quote }: { quote: Quote }) {
  const quoted = useEntity(statusStore, quote.quotedStatusId ?? '')
  const filtering = findFiltering(quoted ?? {}, useContext(FilteringContext))
  const [isShown, setIsShown] = useState(false)
  if (!quoted) return <Hidden reason={reasonFor(quote.state === 'accepted' ? 'deleted' : quote.state, null)} />
  const reason =
    quote.state !== 'accepted'
      ? reasonFor(quote.state, quoted)
      : filtering && filtering.action !== 'blur'
        ? message('web.filter.title', { name: filtering.titles })
        : null
  if (reason !== null && !isShown)
    return (
      <Hidden reason={reason}>
        <button type="button" className="button button-small button-line" onClick={() => setIsShown(true)}>
          {message('web.quote.show')}
        </button>
      </Hidden>
    )
  return <Card quoted={quoted} blurredBy={filtering?.action === 'blur' ? filtering.titles : undefined} />
}

/** The quoted status. What it quotes itself is a link, so that quotes do not nest. */
function Card({ quoted, blurredBy }: { quoted: StoredStatus; blurredBy: string | undefined }) {
  const { account, id, createdAt } = quoted
  return (
    <blockquote className={styles.quote} lang={quoted.language ?? undefined}>
      <header className={styles.header}>
        <Link to="/@{$acct}" params={{ acct: account.acct }} className={styles.author}>
          <Avatar account={account} size="s" />
          <span className={styles.names}>
            <strong className="cut-line">
              <DisplayName account={account} />
            </strong>{' '}
            <span className={`cut-line ${styles.handle}`}>
              <bdi>@{account.acct}</bdi>
            </span>
          </span>
        </Link>
        <Link to="/@{$acct}/$id" params={{ acct: account.acct, id }} className={styles.time}>
          <span className="unseen">{message('web.quote.open')} </span>
          <TimeAgo time={createdAt} />
        </Link>
      </header>
      <StatusBody status={quoted} blurredBy={blurredBy}>
        {quoted.quote && (
          <p className={styles.nested}>
            <Icon name="quote" />
            <Link to="/@{$acct}/$id" params={{ acct: account.acct, id }}>
              {message('web.quote.nested')}
            </Link>
          </p>
        )}
      </StatusBody>
    </blockquote>
  )
}

function Hidden({ reason, children }: { reason: string; children?: ReactNode }) {
  return (
    <div ref={focusPostOnRemoval} className={`${styles.quote} ${styles.hidden}`}>
      <Icon name="quote" />
      <p>{reason}</p>
      {children}
    </div>
  )
}

const focusPostOnRemoval = focusOnRemoval((notice) => notice.closest('article'))

/** Returns why a quoted status is hidden. `quoted` is null unless the API returns it all the same. */
function reasonFor(state: Exclude<Quote['state'], 'accepted'>, quoted: StoredStatus | null): string {
  const acct = quoted?.account.acct ?? ''
  switch (state) {
    case 'blocked_account':
    case 'muted_account':
      return quoted ? message(`web.quote.${state}`, { name: `@${acct}` }) : message('web.quote.unauthorized')
    case 'blocked_domain':
      return quoted
        ? message('web.quote.blocked_domain', { domain: acct.split('@')[1] ?? '' })
        : message('web.quote.unauthorized')
    case 'pending':
    case 'revoked':
    case 'rejected':
    case 'deleted':
    case 'unauthorized':
      return message(`web.quote.${state}`)
  }
}
